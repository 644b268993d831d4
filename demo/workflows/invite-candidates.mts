import type { Credential, WorkflowDefinition } from '../../tools/n8n/client.mts';
import { ACTION, chain, note, withCredential } from './parts.mts';

/** Nodes that the smoke test uses. */
export const INVITE_START = 'When Clicking Execute Workflow';
export const INVITE_NODE = 'Invite Candidates';

/** One job, three applicants. The reference is unique for each run, as that of an application is. */
const EXAMPLE_CANDIDATES = `const jobId = '5f0c8a52-6a3e-4c1d-9d57-2f1b7c0e9a64';
const run = Date.now().toString(36);

return [
	{ email: 'maya.okafor@example.com', firstName: 'Maya', lastName: 'Okafor' },
	{ email: 'jonas.lindqvist@example.com', firstName: 'Jonas', lastName: 'Lindqvist' },
	{ email: 'ines.carvalho@example.com', firstName: 'Inês', lastName: 'Carvalho' },
].map((candidate, index) => ({
	json: { jobId, extReferenceId: \`application-\${run}-\${index + 1}\`, ...candidate },
}));
`;

/** The example workflow that invites three candidates for one job. */
export function inviteCandidates(credential: Credential): WorkflowDefinition {
	return {
		name: 'Invite candidates',
		nodes: [
			note(
				'About This Workflow',
				'## Invite candidates\n\nClick **Execute workflow** to invite three sample applicants. In your own n8n, replace the first two nodes with your applicant tracking system, a form, or a spreadsheet.',
				[-60, -220],
				[460, 180],
			),
			note(
				'What Comes Next',
				'### Next\n\nOpen an `invitation_link` from the output, and click **Finish Assessment**. The workflow **Result ready** then runs.',
				[440, -220],
				[380, 180],
			),
			{
				id: 'start',
				name: INVITE_START,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'candidates',
				name: 'Example Candidates',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [240, 0],
				parameters: { jsCode: EXAMPLE_CANDIDATES },
			},
			{
				id: 'invite',
				name: INVITE_NODE,
				type: ACTION,
				typeVersion: 1,
				position: [480, 0],
				parameters: {
					resource: 'candidate',
					operation: 'invite',
					jobId: '={{ $json.jobId }}',
					extReferenceId: '={{ $json.extReferenceId }}',
					isAnonymousCandidate: false,
					email: '={{ $json.email }}',
					firstName: '={{ $json.firstName }}',
					lastName: '={{ $json.lastName }}',
					additionalFields: {
						skills: { skill: [{ name: 'Customer support', proficiency: 'novice' }] },
					},
					options: {},
				},
				credentials: withCredential(credential),
			},
		],
		connections: chain(INVITE_START, 'Example Candidates', INVITE_NODE),
		settings: { executionOrder: 'v1' },
	};
}
