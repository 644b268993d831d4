import { testAiAgentInvites } from './aiAgentInvites.mts';
import { testApplyAndBeInvited } from './applyAndBeInvited.mts';
import { testCatchUp } from './catchUp.mts';
import { testFiles } from './files.mts';
import { testInEditor } from './inEditor.mts';
import { testInviteFromAList } from './inviteFromAList.mts';
import { testResultToDecision } from './resultToDecision.mts';
import { testWatchOverTheTrigger } from './watchOverTheTrigger.mts';

testFiles();
testInEditor();
testApplyAndBeInvited();
testInviteFromAList();
testResultToDecision();
testCatchUp();
testWatchOverTheTrigger();
testAiAgentInvites();
