import { BlockList, isIPv6 } from 'node:net';

const addresses = new BlockList();
addresses.addSubnet('127.0.0.0', 8);
addresses.addAddress('0.0.0.0');
for (const address of ['::', '::1']) addresses.addAddress(address, 'ipv6');

/** Whether an address leads to this machine, even in the form `::ffff:127.0.0.1`. */
export function leadsToThisMachine(address: string): boolean {
	return addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
