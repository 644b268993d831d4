/** What recruiters search for, who know no node by its name. */
export const SEARCH_PHRASES = [
	'invite applicant',
	'send test to candidate',
	'test result',
	'get scores',
	'aptitude test',
	'job application',
	'psychometric test',
	'recruiter',
	'coding test',
	'online test',
	'exam',
	'evaluation',
];
