import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { loadNode, loadPackage } from './NodeTestHarness';

/** What other people's workflows hold: names, types, defaults, limits and the values to choose from. */
function held(properties: INodeProperties[]): unknown {
	return properties
		.filter(({ type }) => type !== 'notice')
		.map(({ name, type, default: value, required, options, modes, ...more }) => ({
			name,
			type,
			default: value,
			...(required && { required }),
			...(more.typeOptions && { typeOptions: more.typeOptions }),
			...(more.displayOptions?.show?.operation && { of: more.displayOptions.show.operation }),
			...(modes && { modes: modes.map((mode) => mode.name) }),
			...(options && { options: options.map(heldOption) }),
		}));
}

function heldOption(option: INodePropertyOptions | INodeProperties | INodePropertyCollection) {
	if ('values' in option) return { name: option.name, values: held(option.values) };
	if ('value' in option) return option.value;
	return held([option as INodeProperties]);
}

describe('What workflows hold never changes by accident:', () => {
	it.each(['candidateAssessment', 'candidateAssessmentTrigger'])('node %s', async (name) => {
		const { description } = await loadNode(name);
		expect({
			name: description.name,
			version: description.version,
			credentials: description.credentials,
			inputs: description.inputs,
			outputs: description.outputs,
			properties: held(description.properties),
		}).toMatchSnapshot();
	});

	it('credential candidateAssessmentApi', async () => {
		const { type } = (await loadPackage()).getCredential('candidateAssessmentApi');
		expect({ name: type.name, properties: held(type.properties) }).toMatchSnapshot();
	});
});
