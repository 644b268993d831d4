/** One assessment score (specification, "Score"). */
export interface Score {
	score_format: number;
	score_type: string;
	score_value: number;
}

/** An element of the request field skills (specification, "Skill"). */
type Skill = Partial<Record<'name' | 'proficiency', string>>;

/** An element of the request field work_experiences (specification, "Work experience"). */
type WorkExperience = Partial<
	Record<
		'organization' | 'role' | 'responsibilities_achievements' | 'start_date' | 'end_date',
		string
	> & { is_current: boolean }
>;

/** The body of a request to create an invitation (specification, "1. Create a candidate invitation"). */
export interface InvitationRequest {
	job_id: string;
	ext_reference_id: string;
	is_anonymous_candidate: boolean;
	email?: string;
	first_name?: string;
	last_name?: string;
	deadline?: string;
	skills?: Skill[];
	work_experiences?: WorkExperience[];
}

/** A stored invitation. Links are not stored: they derive from the code and the address of the service. */
export interface Invitation extends Required<Omit<InvitationRequest, 'deadline' | Detail>> {
	invitation_code: string;
	candidate_id: string;
	email: string | null;
	first_name: string | null;
	last_name: string | null;
	status: 'invited' | 'completed';
	invitation_expired_at: string;
	created_at: string;
	completed_at: string | null;
	scores: Score[];
	additional_scores: Score[];
}

/** The personal details, which an anonymous candidate can lack. */
type Detail = 'email' | 'first_name' | 'last_name';

/** An invitation with its links. */
export type InvitationWithLinks = Invitation & {
	invitation_link: string;
	report_pdf_link: string | null;
	report_profile_link: string | null;
};

export type WebhookStatus = 'active' | 'inactive';

/** A webhook as the API returns it (specification, "Webhook"). */
export interface Webhook {
	id: string;
	partner_id: string;
	name: string;
	url: string;
	events: string[];
	status: WebhookStatus;
	is_deleted: boolean;
	created_at: string;
	created_by: number;
}

/** The body of a request to update a webhook (specification, "3. Update a webhook"). */
export type WebhookRequest = Pick<Webhook, 'name' | 'url' | 'events'> & { secret?: string };

/** A stored webhook. The secret is write-only: no response and no page ever shows it. */
export type StoredWebhook = Webhook & { secret: string | null };

/** One call to a webhook's URL. While it is in flight, status and error are both null. */
export interface Delivery {
	id: string;
	webhook_id: string;
	invitation_code: string;
	event: string;
	url: string;
	payload: Record<string, unknown>;
	sent_at: string;
	/** The status of the receiver's response, or null if there was none. */
	status: number | null;
	/** Why there was no response, such as ECONNREFUSED. */
	error: string | null;
	/** The beginning of the receiver's response. */
	response: string | null;
}

/** The endpoints, and the download of a report, which is not part of the API. */
export const routeNames = [
	'createInvitation',
	'getCandidate',
	'updateWebhook',
	'setWebhookStatus',
	'deleteWebhook',
	'downloadReport',
] as const;

export type RouteName = (typeof routeNames)[number];

/** One request to the API and how it ended. */
export interface RecordedRequest {
	/** The endpoint, or undefined for any other path. */
	route?: RouteName;
	method: string;
	path: string;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
	at: string;
	/** The status of the response; null while in flight and after a connection reset. */
	status: number | null;
	/** How many API requests were in flight when this one arrived, including itself. */
	inFlight: number;
	/** Whether the service did what the request asked, whatever response the client got. */
	processed: boolean;
}
