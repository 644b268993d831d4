import { loadTrigger, useVirtualTime } from './n8n/virtualTime';
import { Network } from './n8n/Network';
import { SimulatedN8n } from './n8n/SimulatedN8n';
import { startPartnerService, type PartnerService } from '../../mock-service/service.mts';

let service: PartnerService;
beforeAll(async () => { service = await startPartnerService(); });
afterAll(async () => await service.close());

it('works', async () => {
	const clock = useVirtualTime();
	const network = new Network(service, clock);
	network.tokens.add('tokenA-tokenA');
	let t = performance.now();
	const n8n = new SimulatedN8n('2.41', network, clock, loadTrigger);
	console.log('load', performance.now() - t);
	n8n.credentials.set('A', { baseUrl: service.baseUrl, accessToken: 'tokenA-tokenA', webhookSecret: '' });
	const w = n8n.createWorkflow({ workflowName: 'W', credentialId: 'A', parameters: { webhookId: service.webhookId, events: ['candidate_application_result_ready'] } });
	const show = () => console.log(JSON.stringify(service.webhooks[0]), network.sent, performance.now() - t);
	await clock.until(n8n.publish(w)); show();
	await clock.until(n8n.listen(w)); show();
	network.faults = ['unreachable','unreachable', 'responseLost'];
	await clock.until(n8n.stopListening(w)); show();
	await clock.pass(60_000); show();
	const secret = service.webhooks[0].secret!;
	console.log(await n8n.call(service.webhooks[0].url, { headers: [['X-S', secret]], body: { a: 1 } }), await n8n.call(service.webhooks[0].url, { headers: [['X-S', 'x']], body: { a: 1 } }));
	await clock.until(n8n.unpublish(w)); show();
	await clock.until(n8n.listen(w)); show();
	await clock.until(n8n.stopListening(w)); show();
	n8n.kill(); t = performance.now(); await clock.until(n8n.start()); console.log('restart', performance.now() - t);
	console.log(n8n.thrownInDelete);
});
