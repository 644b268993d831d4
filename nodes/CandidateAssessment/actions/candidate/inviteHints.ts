import type { IDataObject } from 'n8n-workflow';
import { identityOf } from '../../memory/identity';
import { isThisMachine } from '../../transport/credentials';
import type { ApiRequest } from '../../transport/types';

/** These aren't errors: one external reference ID for everybody may be on purpose, and families share an address. */
export function inviteHints(requests: ApiRequest[], answers: IDataObject[], baseUrl: string) {
	const applications = requests.map(withPerson);
	const sameId = firstSharing(applications, 'reference', 'email')?.reference;
	const sameAddress = firstSharing(applications, 'email', 'person')?.email;
	const samePerson = firstSharing(applications, 'addressee', 'reference')?.email;
	const links = answers.map(({ invitation_link: link }) => String(link));
	const lost = links.filter((link) => !isReachable(link, baseUrl));
	const sorted = [...links].sort();
	const sameLink = sorted.find((link, at) => link === sorted[at - 1] && isReachable(link, baseUrl));
	const old = answers.filter(isOld).map(({ ext_reference_id: reference }) => String(reference));
	return [
		sameId &&
			`Several candidates have the same external reference ID, such as '${sameId}', so you can't tell their results apart. Give each application its own ID.`,
		sameAddress &&
			`Several candidates have the same email address, such as '${sameAddress}', so one inbox gets all their links. If these are different people, check their addresses.`,
		samePerson &&
			`The same person is in this list under several external reference IDs, such as '${samePerson}', and gets an invitation for each.`,
		lost.length > 0 &&
			`${lost.length} of ${links.length} invitation links lead nowhere, such as '${lost[0]}'. Don't send them: ask the service's support to correct them.`,
		sameLink &&
			`Several candidates got one and the same invitation link, '${sameLink}'. Before you send it, ask the service's support whether it's right.`,
		old.length > 0 &&
			`${old.length} of ${links.length} invitations are expired or completed, such as that of '${old[0]}': the service had invited them before. Ask its support for new invitations.`,
	].filter((hint) => typeof hint === 'string');
}

function withPerson(request: ApiRequest) {
	const identity = identityOf(request);
	const { first_name: first, last_name: last } = request.body ?? {};
	const name = [first, last].filter(Boolean).join(' ').toLowerCase();
	const addressee = name && identity.email && `${name} ${identity.email}`;
	return { ...identity, person: name || identity.reference, addressee };
}

type Application = ReturnType<typeof withPerson>;

/** Finds the first application that shares a value with an earlier one for the same job, but differs in the other value. */
function firstSharing(all: Application[], shared: keyof Application, other: keyof Application) {
	const firsts = new Map<string, Application>();
	return all.find((application) => {
		const key = JSON.stringify([application.jobId, application[shared]]);
		const first = firsts.get(key) ?? application;
		firsts.set(key, first);
		return application[shared] !== '' && application[other] !== first[other];
	});
}

/** False for an incomplete link, and for a link to the service's own machine. */
function isReachable(link: string, baseUrl: string): boolean {
	const isBroken = /^(?!https?:)|[{}\s]|[/=](undefined|null)(?![^/?&#])/.test(link);
	if (isBroken || !URL.canParse(link)) return false;
	return !isThisMachine(new URL(link)) || isThisMachine(new URL(baseUrl));
}

/** The service may answer with an earlier invitation. */
function isOld({ status, invitation_expired_at: expiry }: IDataObject): boolean {
	return /^completed$/i.test(String(status)) || Date.parse(String(expiry)) < Date.now();
}
