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
	const n8n = new SimulatedN8n('2.41', network, clock, loadTrigger);
	n8n.credentials.set('A', { baseUrl: service.baseUrl, accessToken: 'tokenA-tokenA', webhookSecret: '' });
	const w = n8n.createWorkflow({ workflowName: 'W', credentialId: 'A', parameters: { webhookId: service.webhookId, events: ['candidate_application_result_ready'] } });
	const show = (x: string) => console.log(x, service.webhooks[0].url, service.webhooks[0].status, network.sent);
	await clock.until(n8n.publish(w)); show('published');
	network.faults = ['killedBefore'];
	await clock.until(n8n.listen(w), () => !n8n.isAlive); show('killed');
	n8n.kill(); await clock.until(n8n.start());
	await clock.until(n8n.unpublish(w)); show('unpublished');
	await clock.until(n8n.listen(w)); show('listening');
	await clock.until(n8n.stopListening(w)); show('stopped');
	await clock.pass(60_000); show('later');
	console.log(n8n.thrownInDelete);
});
