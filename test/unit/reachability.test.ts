import { warningAbout } from '../../nodes/CandidateAssessment/trigger/reachability';

const SERVICE = 'https://assessment.example.com';
const UNKNOWN = 'Only its own network knows this address';
const UNENCRYPTED = "Calls to it aren't encrypted";

it.each([
	...['192.168.1.20', '10.0.0.5', '172.16.0.1', '172.31.255.255', '169.254.0.1', '127.0.0.1'],
	...['[fd12:3456::1]', '[fe80::1]', 'n8n', 'N8N', 'n8n.local', 'n8n.internal.', 'a.b.lan'],
])('an address that only this network knows is worth a line in the log: %s', (host) => {
	expect(warningAbout(`https://${host}/webhook/x/webhook`, SERVICE)).toContain(UNKNOWN);
});

it.each([
	...['n8n.example.com', '10.example.com', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1'],
	...['[2001:db8::1]', 'fd.example.com', 'local.example.com', 'internal.de', 'lan.example.org'],
])('an address that everybody knows is not worth a line in the log: %s', (host) => {
	expect(warningAbout(`https://${host}:8443/webhook/x/webhook`, SERVICE)).toBeUndefined();
});

it.each(['http://127.0.0.1:3000', 'https://192.168.1.30', 'https://assessment.lan/api'])(
	'an address of a local network is not worth a line in the log if the service is at %s',
	(service) => {
		expect(warningAbout('https://192.168.1.20/webhook/x/webhook', service)).toBeUndefined();
	},
);

it('plain http is worth a line in the log, unless it stays on this machine', () => {
	const address = 'http://n8n.example.com/webhook/x/webhook';
	expect(warningAbout(address, SERVICE)).toContain(UNENCRYPTED);
	expect(warningAbout('http://localhost/webhook/x/webhook', 'http://localhost')).toBeUndefined();
});

it('one line says all, and which address it is', () => {
	const line = warningAbout('http://192.168.1.20:5678/webhook/x/webhook', SERVICE);
	expect(line).toMatch(/^The trigger is registered at http:\/\/192\.168\.1\.20:5678\. /);
	expect(line).toContain(UNKNOWN);
	expect(line).toContain(UNENCRYPTED);
	expect(line).not.toContain('\n');
});
