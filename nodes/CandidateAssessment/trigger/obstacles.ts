import type { ErrorMessage } from '../errors/types';
import type { Obstacle } from './lifecycle';

/** A webhook that could not be given back as it was. */
export class NotBorrowed extends Error {
	readonly description?: string;

	constructor(obstacle: Obstacle) {
		const { message, description } = describeObstacle(obstacle);
		super(message);
		this.description = description;
	}
}

function describeObstacle({ reason, address }: Obstacle): ErrorMessage {
	switch (reason) {
		case 'foreign':
			return {
				message: `This webhook sends its events to another receiver: ${address}`,
				description:
					"Testing would replace that receiver's secret for good. Ask the assessment service for a separate webhook, publish this workflow to redirect the webhook here (if it's published, unpublish it first), or turn on 'Test Even If Used Elsewhere' in the options.",
			};
		case 'unmarked':
			return {
				message: `This webhook points to n8n, but its URL doesn't say what to restore after a test: ${address}`,
				description:
					"It was entered by hand, or the service shortens URLs. Publish this workflow to register it anew. If that doesn't help, set 'Registration' to 'Manual' and enter the Test URL at the service while you test.",
			};
		case 'incomplete':
			return {
				message: "This webhook has no URL or no events, so it couldn't be restored after a test",
				description: 'Publish this workflow first, or ask the assessment service to complete it.',
			};
		case 'otherCredential':
			return {
				message: `This webhook is in use with another credential: ${address}`,
				description:
					"After a test, the published workflow couldn't recognize the service's calls. Select the credential it was published with, or publish the workflow with this one.",
			};
		case 'busy':
			return {
				message: `Another workflow is testing with this webhook: ${address}`,
				description: 'Stop that test or wait two minutes, then try again.',
			};
		case 'altered':
			return {
				message: `The service changes the webhook's URL, so it couldn't be restored after a test: ${address}`,
				description:
					"The webhook is restored now. To test, publish the workflow and look at its executions, or set 'Registration' to 'Manual' and enter the Test URL at the service.",
			};
	}
}
