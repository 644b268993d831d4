import type { IBuilderHint } from 'n8n-workflow';

/** For models that build workflows. Each sentence prevents a mistake that was seen, or answers a question. */
const ACTION = 'n8n-nodes-candidate-assessment.candidateAssessment';
const TRIGGER = `${ACTION}Trigger`;

const CREDENTIALS =
	"credentials: { candidateAssessmentApi: newCredential('Candidate Assessment API') }";
const CANDIDATE =
	"ext_reference_id: 'APP-1', job_id: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c', email: 'nathan@example.com', first_name: 'Nathan', last_name: 'Smith', invitation_link: 'https://assessment.example.com/invitations/inv-7Kq2mX9d'";

const INVITE_PATTERN = `<patterns>
<pattern title="Invite a list, with all three outputs wired">
const invite = node({ type: '${ACTION}', version: 1, config: {
  name: 'Invite Candidates', onError: 'continueErrorOutput', parameters: {
    resource: 'candidate', operation: 'invite',
    jobId: placeholder('Job ID from the assessment service'),
    extReferenceId: expr('{{ $json.application_id }}'), email: expr('{{ $json.email }}'),
    firstName: expr('{{ $json.first_name }}'), lastName: expr('{{ $json.last_name }}')
  }, ${CREDENTIALS}
}, output: [{ id: 7, application_id: 'APP-1', ${CANDIDATE}, status: 'invited', invitation_expired_at: '2026-12-15T22:59:59Z', candidate_id: 'cand-1' }] });
export default workflow('id', 'Invite candidates').add(start).to(readList).to(invite)
  .add(invite.output(0).to(storeLink).to(sendLink))
  .add(invite.output(1).to(handleAlreadyInvited))
  .add(invite.output(2).to(handleFailed));
// Never use .onError() here: it takes output 1.
// test_workflow and Evaluations invite real people unless this node has sample data.
// 0, Invited: the row's own fields and the service's, as in the sample; the service's win if names clash (status, email). Store the link: the node doesn't remember it. Update the row by its own id or application_id, which all three outputs have. Never upsert: a row that it adds is invited next. The node that stores the link keeps On Error: Stop, since a failed write would pass as a success; n8n's Retry of the failed run stores the link, and sends nothing. Keep alwaysOutputData off: n8n would pass on an empty item. Mail the link, unless the service does: ask the user. An anonymous candidate's goes to somebody who knows the person.
// 1, Already Invited: the input item as it came, without a link. Only the service can look up a lost link.
// 2, error: the input item with error (a text for people), outcome, and httpStatus if the service answered. outcome: 'invalid' (a field is empty or breaks a rule: correct it; the others are sent), 'refused' (the service said no), 'unknown' (may have been sent: somebody must look in the service), 'notSent' (the run stopped before it). Afterwards, run the same list again.
// Validation warns about fields of 1 and 2 (INVALID_EXPRESSION_PATH). They are there: leave it.
// A check without sending: options: { checkOnly: expr("{{ $('Check My List').isExecuted }}") } on this same node, behind a second trigger of that name (n8n allows one Manual Trigger). Leave the option out to send. What follows 1 and 2 also runs in a check. Never use a copy: it has no record. Output 0 is then empty: who would be invited is the input without outputs 1 and 2.
</pattern>
</patterns>`;

const GET_PATTERN = `<patterns>
<pattern title="Get a result, after the trigger">
const getResult = node({ type: '${ACTION}', version: 1, config: {
  name: 'Get Result', parameters: {
    resource: 'candidate', operation: 'get',
    invitationCode: { __rl: true, mode: 'code', value: expr('{{ $json.invitation_code }}') }
  }, ${CREDENTIALS}
}, output: [{ status: 'completed', scores: { role_fit: 85, reasoning_verbal: 77 }, ${CANDIDATE}, report_pdf_link: 'https://assessment.example.com/report.pdf', report_profile_link: 'https://assessment.example.com/profile' }] });
// With a link from Invite: invitationCode: { __rl: true, mode: 'link', value: expr('{{ $json.invitation_link }}') }
// Scores are from 0 to 100. Before the candidate has finished: status 'invited', scores {}, no report links. There may be other statuses. Which scores there are depends on the job, and nothing says 'passed': ask the user which to compare. A report that can't be downloaded fails its item, scores included: use a second Get for the report. Nobody can be found by email: keep the link.
// One output: the input's fields (of the trigger, or a row with its id), and the service's over them. The error output is 1: the input item with error (a text), outcome and httpStatus (404: no such invitation). Also leave INVALID_EXPRESSION_PATH there.
</pattern>
</patterns>`;

const TOOL_PATTERN = `<patterns>
<pattern title="Invite and Get as tools of an AI Agent">
const inviteTool = tool({ type: '${ACTION}Tool', version: 1, config: {
  name: 'Invite a Candidate', parameters: {
    resource: 'candidate', operation: 'invite',
    jobId: placeholder('Job ID from the assessment service'),
    extReferenceId: fromAi('application_id', 'ID of the application, never invented'), email: fromAi('email', 'Email address'),
    firstName: fromAi('first_name', 'First name'), lastName: fromAi('last_name', 'Last name')
  }, ${CREDENTIALS} } });
const getTool = tool({ type: '${ACTION}Tool', version: 1, config: {
  name: 'Get a Result', parameters: {
    resource: 'candidate', operation: 'get',
    invitationCode: { __rl: true, mode: 'code', value: fromAi('invitation', 'Invitation link or code') }
  }, ${CREDENTIALS} } });
// In the agent's config: subnodes: { model, tools: [inviteTool, getTool] }
// Invite answers with the candidate and invitation_link, or, for somebody already invited, with { message } only. A call that fails answers with { error, outcome }.
</pattern>
</patterns>`;

const WEBHOOK_OUTPUT =
	"// Output: { id, partner_id, name, url, events, status: 'active' | 'inactive', is_deleted, created_at, created_by }. The trigger of this webhook gets no events while it is inactive, and after Update none until its workflow is unpublished and published again.";

export const actionBuilderHint: IBuilderHint = {
	searchHint:
		'Takes the whole list as input items in one run: no Loop Over Items, and no lookup of who was invited before (output 1 is for that; a filter on rows without a link is fine). Invite has two outputs before its error output. It returns a link, not a result. The candidate finishes days later: build a second workflow that starts with Candidate Assessment Trigger, then Get.',
	relatedNodes: [{ nodeType: TRIGGER, relationHint: "Starts when a candidate's result is ready" }],
	extraTypeDefContent: [
		{ displayOptions: { show: { operation: ['invite'] } }, content: INVITE_PATTERN },
		{ displayOptions: { show: { operation: ['get'] } }, content: GET_PATTERN },
		{ displayOptions: { show: { operation: ['setStatus', 'update'] } }, content: WEBHOOK_OUTPUT },
	],
};

export const toolBuilderHint: IBuilderHint = {
	searchHint:
		'As a tool use Invite and Get only, not the webhook operations. It remembers who was invited as a tool of an AI Agent node in a saved workflow. A standalone n8n Agent (create_agent) keeps no memory for it, so there Invite sends nothing: give that agent a workflow tool, with the Candidate Assessment node in the workflow, and after its output 1 a node that answers that the person was already invited.',
	extraTypeDefContent: [
		{ displayOptions: { show: { operation: ['invite'] } }, content: TOOL_PATTERN },
	],
};

export const triggerBuilderHint: IBuilderHint = {
	searchHint:
		"Receives events only once its workflow is published; publishing registers it at the service, so Webhook: Update isn't needed. Sample output: [{ event: 'candidate_application_result_ready', invitation_code: 'inv-7Kq2mX9d', ext_reference_id: 'APP-1', status: 'completed' }] (the service may send other fields, or an event twice, even at once: before a mail, Data Table: Update on the condition that the row has no result yet, which outputs nothing the second time). To see a real event, publish, have the service send one or a test candidate finish, and look under Executions; before that, only pinned sample data can test it: the editor's test gets a copy of what the published workflow gets, which also runs, and your own call without the webhook's secret is answered 401. It has no scores: Candidate Assessment, Get, with invitationCode in mode 'code', must follow. Each workflow needs its own webhook ID: publishing refuses one that another workflow has, even where publish_workflow reports success.",
	relatedNodes: [{ nodeType: ACTION, relationHint: 'Get by invitation_code returns the scores' }],
};

export const propertyHints = {
	id: "Never invent it. If the user hasn't given it, write placeholder('ID from the assessment service').",
	extReferenceId:
		"Different for each candidate, and the same in every run, such as the item's application ID or email. Nothing random, no $now, $itemIndex or $execution: the next run would invite the same person again.",
	isAnonymousCandidate:
		'With an expression, one node serves both kinds of candidates: also set email and names. They may be empty where the candidate is anonymous.',
	alreadyInvited: `Keep 'skip': anyone already invited goes to output 1, and an unconfirmed invitation (it may have been sent) is an error. 'skipUnknown' counts it as invited, 'resendUnknown' sends it again: only for a user who has looked in the service. 'inviteAgain' invites everybody in every run: only if the user asks for that. In an unattended workflow, an expression reads the choice for unconfirmed ones from a column that a recruiter fills in: expr("{{ $json.unconfirmed === 'found' ? 'skipUnknown' : $json.unconfirmed === 'not found' ? 'resendUnknown' : 'skip' }}"); empty the column when you write the row behind outputs 0 and 1 (behind 2 only if outcome is 'unknown'; never after a check). The record is this node's, by its id: a copy, another Invite node or a tool has its own. Never remove and add the node to change it, or keep its id: everybody would be invited again. Surrounding spaces and the email's case don't matter. The same application (job, reference and email) twice in one list is invited once; one person under two references gets two invitations.`,
	list: (entry: string, json: string) =>
		`Must be { ${entry}: [{ … }] }: n8n drops a plain array without an error. A list from an expression goes into ${json}.`,
	invitationCode:
		"mode 'code' takes invitation_code, from the trigger, or a link; mode 'link' takes invitation_link, from Invite. candidate_id doesn't work.",
};
