import type { Obstacle } from './lifecycle';

/** Nobody can look at a webhook without setting its status. */
const MAY_BE_ON = "If the webhook was off, it's on now.";

/** Why a webhook cannot be tested with, and what to do: it could not be given back as it was. */
export function describeObstacle({ reason, address }: Obstacle): string {
	switch (reason) {
		case 'foreign':
			return `This webhook sends its events to another receiver: ${address}. Testing would replace that receiver's secret for good. Ask the assessment service for a separate webhook, publish this workflow to redirect the webhook here (if it's published, unpublish it first), or turn on 'Test Even If Used Elsewhere' in the options. ${MAY_BE_ON}`;
		case 'unmarked':
			return `This webhook points to n8n, but its URL doesn't say what to restore after a test: ${address}. It was entered by hand, or the service shortens URLs. Publish this workflow to register it anew. If that doesn't help, set 'Registration' to 'Manual' and enter the Test URL at the service while you test. ${MAY_BE_ON}`;
		case 'incomplete':
			return `This webhook has no URL or no events, so it couldn't be restored after a test. Publish this workflow first, or ask the assessment service to complete it. ${MAY_BE_ON}`;
		case 'otherCredential':
			return `This webhook is in use with another credential: ${address}. After a test, the published workflow couldn't recognize the service's calls. Select the credential it was published with, or publish the workflow with this one.`;
		case 'busy':
			return `Another workflow is testing with this webhook: ${address}. Stop that test or wait two minutes, then try again.`;
		case 'altered':
			return `The service changes the webhook's URL, so it couldn't restore it after a test: ${address}. The webhook has been restored. To test, set 'Registration' to 'Manual' and enter the Test URL at the service, or publish the workflow and look at its executions.`;
	}
}
