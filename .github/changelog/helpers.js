/** Conventional Commits: type, scope, ! for a breaking change, description. */
const SUBJECT = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: (?<description>.+)$/;

/** Called by auto-changelog with its Handlebars. */
module.exports = (handlebars) => {
	/**
	 * Lists the changes of a release that are of one type, or breaking, under a heading. auto-changelog keeps
	 * merges and commits that close an issue apart from the others; here they are one list.
	 */
	handlebars.registerHelper('changes', (release, options) => {
		const { type, heading } = options.hash;
		const commits = [release.commits, release.fixes, release.merges]
			.flat()
			.map((entry) => entry.commit ?? entry);
		const lines = [...new Map(commits.map((commit) => [commit.hash, commit])).values()]
			.map((commit) => ({ ...commit, ...SUBJECT.exec(commit.subject)?.groups }))
			.filter((change) => (isBreaking(change) ? type === 'breaking' : change.type === type))
			.sort((one, other) => one.date.localeCompare(other.date))
			.map(lineOf);
		return lines.length > 0 ? `### ${heading}\n\n${lines.join('\n')}\n` : '';
	});
};

const isBreaking = ({ description, breaking, message }) =>
	description !== undefined && (breaking === '!' || /^BREAKING[ -]CHANGE: /m.test(message));

function lineOf({ scope, description, shorthash, href }) {
	const subject = description[0].toUpperCase() + description.slice(1);
	const link = href ? ` ([${shorthash}](${href}))` : '';
	return `- ${scope ? `**${scope}:** ` : ''}${subject}${link}`;
}
