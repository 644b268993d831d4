import type { IDataObject } from 'n8n-workflow';
import { identityOf } from '../../memory/identity';
import { isThisMachine } from '../../transport/credentials';
import type { ApiRequest } from '../../transport/types';

/** These aren't errors: one external reference ID for everybody may be on purpose, and families share an address. */
export function inviteHints(requests: ApiRequest[], answers: IDataObject[], baseUrl: string) {
	const applications = requests.map(withPerson);
	const [sameId] = firstSharing(applications, 'reference', 'email');
	const [sameAddress] = firstSharing(applications, 'email', 'person');
	const [one, other] = firstSharing(applications, 'addressee', 'reference');
	const links = answers.map(({ invitation_link: link }) => String(link));
	const lost = links.filter((link) => !isReachable(link, baseUrl));
	const persons = answers.map(({ email, ext_reference_id: id }, at) => String(email || id || at));
	const lastPersons = new Map(links.map((link, at) => [link, persons[at]]));
	const sameLink = links.find(
		(link, at) => persons[at] !== lastPersons.get(link) && isReachable(link, baseUrl),
	);
	const old = answers.filter(isOld).map(({ ext_reference_id: reference }) => String(reference));
	return [
		sameId &&
			`Several candidates have the same external reference ID, such as '${sameId.reference}', so you can't tell their results apart. Give each application its own ID.`,
		sameAddress &&
			`Several candidates have the same email address, such as '${sameAddress.email}', so one inbox gets all their links. If these are different people, check their addresses.`,
		other &&
			`The same person, '${other.email}', is in this list under several external reference IDs, such as '${one.reference}' and '${other.reference}', and gets an invitation for each.`,
		lost.length > 0 &&
			`${lost.length} of ${links.length} invitation links don't work, such as '${lost[0]}'. Don't send them: ask the service's support to correct them.`,
		sameLink &&
			`Several candidates received the same invitation link, '${sameLink}'. Before you send it, ask the service's support whether it's right.`,
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

/** Returns the first two applications for one job that share a value, but differ in the other value; nothing if none do. */
function firstSharing(all: Application[], shared: keyof Application, other: keyof Application) {
	const firsts = new Map<string, Application>();
	for (const application of all) {
		const key = JSON.stringify([application.jobId, application[shared]]);
		const first = firsts.get(key) ?? application;
		firsts.set(key, first);
		if (application[shared] && application[other] !== first[other]) return [first, application];
	}
	return [];
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
