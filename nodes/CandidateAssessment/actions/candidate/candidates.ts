import type { IDataObject } from 'n8n-workflow';
import { API_PATH } from '../../transport/envelope';

/** Specification, "Endpoints". */
export const CANDIDATES_PATH = `${API_PATH}/standard/candidates`;

/** True for `data` that is a candidate invitation. Specification, "Candidate invitation". */
export function isCandidate({ candidate_id: id, invitation_link: link }: IDataObject): boolean {
	return [id, link].some((field) => typeof field === 'string' && field !== '');
}
