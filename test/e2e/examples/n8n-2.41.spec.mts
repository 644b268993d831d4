import { testApplyAndBeInvited } from './applyAndBeInvited.mts';
import { testCatchUp } from './catchUp.mts';
import { testInviteFromAList } from './inviteFromAList.mts';
import { testResultToDecision } from './resultToDecision.mts';
import { testWatchOverTheTrigger } from './watchOverTheTrigger.mts';

testApplyAndBeInvited();
testInviteFromAList();
testResultToDecision();
testCatchUp();
testWatchOverTheTrigger();
