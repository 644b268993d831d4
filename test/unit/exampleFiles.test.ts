import type { WorkflowDefinition } from '../../tools/n8n/client.mts';
import { read } from '../support/documents.mts';
import { EXAMPLES, NOTE, ONLY_2X, PACKAGE, TABLE } from '../support/example.mts';
import { textsIn } from '../support/exampleCode.mts';

/** Signs of a program in an expression. A Code node may be plainer. */
const PROGRAM = /=>|\b(function|return|const|let)\b/;
const ACCOUNT = /\.(emailSend|slack|googleSheets)$/;

const namesOf = (nodes: Array<{ name: string }>) => nodes.map(({ name }) => name);

describe.each(EXAMPLES)('%s', (name) => {
	const example: WorkflowDefinition = JSON.parse(read(`examples/${name}.json`));
	const { name: title, nodes, pinData = {} } = example;
	const ofType = (type: RegExp) => nodes.filter((node) => type.test(node.type));

	it('has no program in an expression, and few Code nodes', () => {
		expect(ofType(/\.code$/).length).toBeLessThan(4);
		const expressions = textsIn(nodes).filter((text) => text.startsWith('='));
		expect(expressions.filter((text) => PROGRAM.test(text))).toEqual([]);
	});

	it('holds no secret, no address of anybody, and the table that all share', () => {
		expect(namesOf(nodes.filter(({ credentials }) => credentials))).toEqual([]);
		const all = [nodes, pinData];
		// Nobody can own these (RFC 2606).
		const addresses = found(all, /[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g);
		const hosts = found(all, /https?:\/\/([\w-]+(?:\.[\w-]+)+)/g);
		expect(addresses.filter((host) => !/\.example$/.test(host))).toEqual([]);
		expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
		const secret = /(bearer |token|(?<!without the )secret|(?<!without a )password|api.?key)/gi;
		expect(found(all, secret)).toEqual([]);
		for (const { type, parameters } of nodes) {
			const table = parameters.dataTableId as { value: string } | undefined;
			expect(table?.value ?? parameters.tableName ?? TABLE).toBe(TABLE);
			if (!type.endsWith('.emailSend')) continue;
			expect(parameters.fromEmail).toBe('');
			expect(parameters.toEmail).toMatch(/^$|^=\{\{ .*[._]email \}\}$/i);
		}
	});

	it('has one name everywhere, and two notes that name what is deactivated until there is an account', () => {
		expect(title.toLowerCase().replaceAll(' ', '-')).toBe(name);
		expect(read('examples/README.md')).toContain(`\n## ${title}\n`);
		const notes = nodes.filter(({ type }) => type === NOTE);
		expect(namesOf(notes)).toEqual(['Overview', 'Setup']);
		const [overview, setup] = notes.map(({ parameters }) => String(parameters.content));
		expect(overview).toMatch(new RegExp(`^## ${title}\n[^]*\n1\\. [^]*Self-hosted n8n only:`));
		expect(setup).toMatch(/^### Setup\n/);
		// Nothing works where n8n hasn't filled in the credential.
		const ours = nodes.filter(({ type }) => type.startsWith(PACKAGE));
		if (ours.length > 0)
			expect(setup).toMatch(/\n1\. Select (or create )?your Candidate Assessment/);
		for (const node of ours) expect(setup).toContain(`**${node.name}**`);
		if (ONLY_2X.includes(name)) expect(setup).toContain('n8n 2.14');
		const accounts = ofType(ACCOUNT);
		const active = accounts.filter((node) => !node.disabled && !(node.name in pinData));
		expect(namesOf(active)).toEqual([]);
		if (accounts.length > 0) expect(setup).toContain('deactivated');
		// An invited candidate gets the link only if somebody sends it.
		if (accounts.some((node) => node.name === 'Send The Link'))
			expect(setup).toMatch(/\bservice\b.* emails? the link/);

		// The last thing to do is to publish; whoever changes something later publishes again.
		const steps = setup!.split(/\n(?=\d\. )/);
		const isStarted = ofType(/schedule|form|AssessmentTrigger$/i).length > 0;
		const at = steps.findIndex((step) => /(^\d|\.) Publish[.:]/.test(step));
		expect(at > 0).toBe(isStarted);
		if (isStarted) expect(steps[at]).toMatch(/Publish[.:][^]*After any change, publish again/);
		for (const step of isStarted ? steps.slice(at + 1) : [])
			expect(step).toContain('publish again');
	});

	it('keeps the words of a failed run, which n8n replaces if they have a code such as ECONNRESET', () => {
		for (const { parameters } of ofType(/\.stopAndError$/)) {
			const [, pattern] = /\.replace\(\/(.+?)\/g, '\$&-'\)/.exec(String(parameters.errorMessage))!;
			const shown = 'EAI_AGAIN (ECONNRESET) EPERM getaddrinfo'.replace(RegExp(pattern, 'g'), '$&-');
			expect(shown).toBe('EAI_-AGAIN (ECON-NRESET) EPER-M getadd-rinfo');
		}
	});

	it('sends nothing in a trial, and takes no row for another', () => {
		for (const { name: node, type, parameters, onError } of nodes) {
			// Whatever keeps a link from the table keeps it from nobody.
			if (/^Write The (Row|Invitation)$/.test(node)) expect(onError).toBe('continueRegularOutput');
			// n8n says of any other that it is deprecated.
			if (type.endsWith('.executeWorkflow')) expect(parameters.mode).toBe('once');
			if (parameters.operation === 'invite' && name !== 'first-result') {
				const { checkOnly } = parameters.options as { checkOnly?: string };
				// A human approves the tool's calls.
				expect(node in pinData || Boolean(checkOnly) || type.endsWith('Tool')).toBe(true);
				expect(parameters.additionalFields).toMatchObject({ deadlineDays: 14 });
			}
			if (!/^(update|upsert)$/.test(String(parameters.operation))) continue;
			if (type.endsWith('.googleSheets')) {
				const { value, matchingColumns } = parameters.columns as Record<string, object>;
				// Only a problem with two rows of one ID goes by row number, never a link or a status.
				const byNumber = Object.keys(value).join() === 'row_number,problem';
				expect(matchingColumns).toEqual([byNumber ? 'row_number' : 'application_id']);
			}
			if (!/dataTable/.test(type)) continue;
			const { conditions } = parameters.filters as { conditions: Array<{ keyName: string }> };
			const keys = conditions.map(({ keyName }) => keyName);
			const ids = keys.filter((key) => !['status', 'email'].includes(key)).sort();
			// A form's address is its execution's own.
			expect(ids.join()).toMatch(/^(application_id,(id|job_id)|decision,decision_form)$/);
		}
	});
});

/** The first group of each match in the texts of a value. */
function found(value: unknown, pattern: RegExp): string[] {
	return textsIn(value).flatMap((text) => [...text.matchAll(pattern)].map(([, match]) => match!));
}
