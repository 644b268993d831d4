/** The trigger's whole life in a real n8n: what users do to it, and what happens to it. */
import type { Checks } from '../support/checks.mts';
import { withRealN8n } from '../support/testEnvironment.mts';
import { checkListening, checkTimeout } from './trigger/listening.mts';
import { checkRestart } from './trigger/restart.mts';
import { checkSecrets } from './trigger/secrets.mts';
import { checkSharing } from './trigger/sharing.mts';
import { checkDeleted, checkChanged, checkServiceDown } from './trigger/troubles.mts';

export default async function trigger(checks: Checks): Promise<void> {
	await withRealN8n(
		'trigger',
		'2.41',
		async (demo, ground) => {
			const check = checks.about(`n8n ${demo.client.version}`);
			// n8n takes its time to give up: two minutes for a test event, most of one for a service.
			const patient = [checkTimeout(check, demo), checkServiceDown(check, demo)];
			const others = async () => {
				await checkListening(check, demo);
				await checkChanged(check, demo);
				await checkDeleted(check, demo);
				await checkSecrets(check, demo);
				await checkSharing(check, demo);
			};
			await Promise.all([...patient, others()]);
			await checkRestart(check, demo, ground);
		},
		checks,
	);
}
