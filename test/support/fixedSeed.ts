import * as fc from 'fast-check';
import { SEED } from './histories.mts';

fc.configureGlobal({ seed: SEED });
