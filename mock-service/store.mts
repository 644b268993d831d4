import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { Delivery, Invitation, StoredWebhook } from './types.mts';

/** How long changes are batched before they are written. */
const writeAfterMs = 100;

/** The data of the service, by identifier, in order of creation. */
export interface Store {
	invitations: Map<string, Invitation>;
	webhooks: Map<string, StoredWebhook>;
	deliveries: Map<string, Delivery>;
	/** Call after changing a record: schedules a write. */
	changed(): void;
	/** Writes pending changes. Rejects if that fails. */
	close(): Promise<void>;
}

interface Contents {
	invitations: Invitation[];
	webhooks: StoredWebhook[];
	deliveries: Delivery[];
}

/**
 * Opens the data of the service.
 *
 * @param dataFile a JSON file that keeps the data between starts; without it, the data is lost at the end.
 *   It holds the webhooks' secrets, which deliveries need, and only its owner can read it.
 */
export function openStore(dataFile?: string): Store {
	const { invitations, webhooks, deliveries } = read(dataFile);
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();

	const store: Store = {
		invitations: new Map(invitations.map((invitation) => [invitation.invitation_code, invitation])),
		webhooks: new Map(webhooks.map((webhook) => [webhook.id, webhook])),
		deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
		changed() {
			if (dataFile) timer ??= setTimeout(() => void write().catch(() => undefined), writeAfterMs);
		},
		close: write,
	};

	/** One write at a time, so that an older state never replaces a newer one. */
	function write(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.catch(() => undefined).then(async () => await writeWhole(dataFile, store));
		return writing;
	}

	return store;
}

function read(dataFile?: string): Contents {
	if (!dataFile || !existsSync(dataFile)) return { invitations: [], webhooks: [], deliveries: [] };
	try {
		const { invitations, webhooks, deliveries } = JSON.parse(readFileSync(dataFile, 'utf8'));
		return { invitations, webhooks, deliveries };
	} catch {
		throw new Error(`${dataFile} is not a data file of this service. Move it away to start over.`);
	}
}

/** Writes to a second file and renames it, so that the data file is never half written. */
async function writeWhole(dataFile: string | undefined, store: Store): Promise<void> {
	if (!dataFile) return;
	const contents: Contents = {
		invitations: [...store.invitations.values()],
		webhooks: [...store.webhooks.values()],
		deliveries: [...store.deliveries.values()],
	};
	await writeFile(`${dataFile}.new`, JSON.stringify(contents, null, '\t'), { mode: 0o600 });
	await rename(`${dataFile}.new`, dataFile);
}
