import { testAiAgentInvites } from './aiAgentInvites.mts';
import { testBehavior } from './behavior.mts';
import { testFiles } from './files.mts';
import { testInEditor } from './inEditor.mts';

testFiles();
testInEditor();
testBehavior();
// Its approval is a node of 2.x.
testAiAgentInvites();
