import { test } from './fixtures.mts';
import { testApplyAndBeInvited } from './applyAndBeInvited.mts';
import { testCatchUp } from './catchUp.mts';
import { testInviteFromAList } from './inviteFromAList.mts';
import { testInviteFromASpreadsheet } from './inviteFromASpreadsheet.mts';
import { testOneCandidate } from './oneCandidate.mts';
import { testResultToDecision } from './resultToDecision.mts';
import { testResultsByJob } from './resultsByJob.mts';
import { testWatchOverTheTrigger } from './watchOverTheTrigger.mts';

test.use({ version: '1.x' });

// The agent's approval is a node of 2.x.
testApplyAndBeInvited();
testInviteFromAList();
testInviteFromASpreadsheet();
testOneCandidate();
testResultToDecision();
testResultsByJob();
testCatchUp();
testWatchOverTheTrigger();
