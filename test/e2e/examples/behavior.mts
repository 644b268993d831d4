import { testApplyAndBeInvited } from './applyAndBeInvited.mts';
import { testCatchUp } from './catchUp.mts';
import { testCvToInvitation } from './cvToInvitation.mts';
import { testNodeVersions } from './files.mts';
import { testFirstResult } from './firstResult.mts';
import { testGoogleSheetsAndGmail } from './googleSheetsAndGmail.mts';
import { testInviteFromAList } from './inviteFromAList.mts';
import { testInviteFromASpreadsheet } from './inviteFromASpreadsheet.mts';
import { testOneCandidate } from './oneCandidate.mts';
import { testResultToDecision } from './resultToDecision.mts';
import { testResultsByJob } from './resultsByJob.mts';
import { testWatchOverTheTrigger } from './watchOverTheTrigger.mts';
import { testWeeklyRanking } from './weeklyRanking.mts';

/** What the examples do on every version of n8n. */
export function testBehavior(): void {
	testNodeVersions();
	testFirstResult();
	testApplyAndBeInvited();
	testCvToInvitation();
	testInviteFromAList();
	testInviteFromASpreadsheet();
	testGoogleSheetsAndGmail();
	testOneCandidate();
	testResultToDecision();
	testResultsByJob();
	testCatchUp();
	testWatchOverTheTrigger();
	testWeeklyRanking();
}
