import { test } from './fixtures.mts';
import { testApplyAndBeInvited } from './applyAndBeInvited.mts';
import { testCatchUp } from './catchUp.mts';
import { testInviteFromAList } from './inviteFromAList.mts';
import { testResultToDecision } from './resultToDecision.mts';
import { testWatchOverTheTrigger } from './watchOverTheTrigger.mts';

test.use({ version: '1.123' });

// The agent's approval is a node of 2.x.
testApplyAndBeInvited();
testInviteFromAList();
testResultToDecision();
testCatchUp();
testWatchOverTheTrigger();
