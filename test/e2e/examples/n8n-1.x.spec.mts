import { testBehavior } from './behavior.mts';
import { test } from './fixtures.mts';

test.use({ version: '1.x' });

testBehavior();
