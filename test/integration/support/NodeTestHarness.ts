import {
	DataDeduplicationService,
	ExecuteContext,
	ExecutionLifecycleHooks,
	PackageDirectoryLoader,
	SupplyDataContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	NodeHelpers,
	NodeOperationError,
	Workflow,
	type IBinaryKeyData,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
} from 'n8n-workflow';
import { Deduplicator } from '../../support/Deduplicator';
import {
	additionalDataWith,
	credentialsStore,
	nodeTypesBy,
	type Credential,
} from './credentialsStore.mts';

/**
 * Runs the built package on n8n-core's own loader and execution. It imitates only what n8n keeps outside n8n-core:
 * the stores of credentials and of processed items. The trigger has its own harness in `n8n/`.
 */
const PACKAGE = 'n8n-nodes-candidate-assessment';
const CREDENTIAL = 'candidateAssessmentApi';

/** Everything that nodes have processed. n8n-core takes one per process. */
export const deduplicator = new Deduplicator();
void DataDeduplicationService.init(deduplicator);

/** Loads the package as n8n would, from the folder of package.json. */
export async function loadPackage(): Promise<PackageDirectoryLoader> {
	const folder = require.resolve('../../../package.json').replace(/package\.json$/, '');
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();
	return loader;
}

/** Loads a node of the package. */
export async function loadNode(name: string): Promise<INodeType> {
	return NodeHelpers.getVersionedNodeType((await loadPackage()).getNode(name).type);
}

/** The node before the one under test. It outputs the items, with files (`$binary`) and errors (`$error`). */
const itemsNode: INodeType = {
	description: {
		displayName: 'Items',
		name: 'items',
		group: ['input'],
		version: 1,
		description: '',
		defaults: { name: 'Items' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Items', name: 'items', type: 'json', default: [] }],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getNode().parameters.items as unknown as IDataObject[];
		return [
			items.map(({ $binary, $error, ...json }) => ({
				json,
				binary: $binary as IBinaryKeyData,
				...($error !== undefined && {
					error: new NodeOperationError(this.getNode(), String($error)),
				}),
			})),
		];
	},
};

export type NodeTestHarness = ReturnType<typeof createNodeTestHarness>;
export type Run = ReturnType<typeof runOf>;
type Failure = Error & { description?: string; httpCode?: string; context: IDataObject };

/** Creates a harness whose nodes use this credential. A workflow that was never saved has an empty ID. */
export function createNodeTestHarness(
	loader: PackageDirectoryLoader,
	credential: Credential,
	workflowId?: string,
	credentialId = '1',
) {
	let decrypted = 0;
	const credentials = credentialsStore(() => {
		decrypted++;
		return credential;
	});
	const nodeTypes = nodeTypesOf(loader);
	const node = (name: string, type: string, parameters: INodeParameters): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL]: { id: credentialId, name: 'Candidate Assessment API' } },
	});
	/** The parts that contexts start with. */
	const partsFor = (action: INode) => {
		const workflow = workflowOf(nodeTypes, [action], workflowId);
		const data = additionalDataWith(credentials);
		return [workflow, action, data, 'manual', createRunExecutionData({}), 0] as const;
	};

	return {
		/** Runs the action node with these settings (such as `onError`). Several names run several nodes. */
		async run(
			parameters: INodeParameters,
			items: IDataObject[] = [{}],
			settings: Partial<INode> = {},
			names = ['Action'],
		) {
			const type = `${PACKAGE}.candidateAssessment`;
			const nodes = [
				node('Items', 'items', { items: items as unknown as INodeParameters }),
				...names.map((name) => ({ ...node(name, type, parameters), ...settings })),
			];
			const workflow = workflowOf(nodeTypes, nodes, workflowId);
			const additionalData = additionalDataWith(credentials);
			additionalData.hooks = new ExecutionLifecycleHooks('manual', '1', workflow as never);
			const startNode = workflow.getNode('Items') as INode;
			return runOf(
				await new WorkflowExecute(additionalData, 'manual').run({ workflow, startNode }),
			);
		},
		/** Runs only the node's own `execute`. The signal cancels it. With `passed`, an agent's model calls it. */
		async execute(
			parameters: INodeParameters,
			items: IDataObject[],
			{ signal, passed }: { signal?: AbortSignal; passed?: IDataObject },
		) {
			const name = passed ? 'candidateAssessmentTool' : 'candidateAssessment';
			const action = node('Action', `${PACKAGE}.${name}`, parameters);
			const input = items.map((json) => ({ json }));
			const main = { main: [input] };
			const source = { node: action, data: main, source: null };
			const shared = [...partsFor(action), input] as const;
			const { AiTool } = NodeConnectionTypes;
			const context = passed
				? new SupplyDataContext(...shared, { [AiTool]: [[{ json: passed }]] }, AiTool, source, [])
				: new ExecuteContext(...shared, main, source, [], signal);
			const type = nodeTypes.getByNameAndVersion(action.type);
			return (await type.execute?.call(context as IExecuteFunctions)) as INodeExecutionData[][];
		},
		/** Sends a request with the credential, as any node may, through one of n8n's two HTTP clients. */
		async request(
			client: 'httpRequestWithAuthentication' | 'requestWithAuthentication',
			request: object,
		) {
			const action = node('Any', `${PACKAGE}.candidateAssessment`, {});
			const source = { node: action, data: {}, source: null };
			const context = new ExecuteContext(...partsFor(action), [], {}, source, []);
			await context.helpers[client].call(context, CREDENTIAL, request as IHttpRequestOptions);
		},
		/** How often the credential was decrypted. */
		decrypted: () => decrypted,
	};
}

function nodeTypesOf(loader: PackageDirectoryLoader): INodeTypes {
	return nodeTypesBy((name) =>
		name === 'items'
			? itemsNode
			: NodeHelpers.getVersionedNodeType(loader.getNode(nodeNameOf(name)).type),
	);
}

/** n8n offers a node that is usable as a tool under a second name. */
function nodeNameOf(type: string): string {
	return type.replace(`${PACKAGE}.`, '').replace(/Tool$/, '');
}

/** Connects the first node to all others. */
function workflowOf(nodeTypes: INodeTypes, nodes: INode[], id = deduplicator.workflowId): Workflow {
	const [first, ...others] = nodes;
	const to = ({ name }: INode) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 });
	const connections: IConnections = { [first.name]: { main: [others.map(to)] } };
	return new Workflow({
		id,
		name: 'Results',
		nodes,
		connections,
		active: false,
		nodeTypes,
		settings: { timezone: 'Europe/Berlin', executionOrder: 'v1' },
		staticData: {},
	});
}

function runOf(full: IRun) {
	const { runData, error: fatal } = full.data.resultData;
	const [task] = runData.Action ?? [];
	const error = (task?.error ?? fatal) as Failure | undefined;
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	const json = (outputs[0] ?? []).map((item) => item.json);
	const hints = (task?.hints ?? []).map(({ message }) => message);
	return { outputs, json, hints, error, full };
}
