import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { loadNode, loadPackage } from './support/NodeTestHarness';

/**
 * The interface that other people's workflows depend on, one line per parameter: name, type, default, limits,
 * choices, and when it shows.
 */
function held(properties: INodeProperties[], above = ''): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ name, type, default: value, options = [], modes, ...more }) => {
			const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
			const facts = {
				default: value,
				required: more.required,
				...more.typeOptions,
				choices: choices.length > 0 ? choices : undefined,
				modes: modes?.map((mode) => mode.name),
				...more.displayOptions,
			};
			const line = `${above}${name}: ${type} ${JSON.stringify(facts)}`;
			return [line, ...options.flatMap((option) => within(option, `${above}${name}.`))];
		});
}

function within(
	option: INodePropertyOptions | INodeProperties | INodePropertyCollection,
	above: string,
): string[] {
	if ('values' in option) return held(option.values, `${above}${option.name}.`);
	return 'value' in option ? [] : held([option as INodeProperties], above);
}

describe('What workflows hold never changes by accident:', () => {
	it.each(['candidateAssessment', 'candidateAssessmentTrigger'])('node %s', async (name) => {
		const { description } = await loadNode(name);
		const { version, credentials, inputs, outputs } = description;
		const node = JSON.stringify({ name: description.name, version, credentials, inputs, outputs });
		expect([node, ...held(description.properties)].join('\n')).toMatchSnapshot();
	});

	it('credential candidateAssessmentApi', async () => {
		const { type } = (await loadPackage()).getCredential('candidateAssessmentApi');
		expect([type.name, ...held(type.properties)].join('\n')).toMatchSnapshot();
	});
});
