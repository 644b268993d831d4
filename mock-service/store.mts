import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { Delivery, Invitation, StoredWebhook } from './types.mts';

/** How long changes are gathered before they are written. */
const writeAfterMs = 100;

/** What the service knows, by identifier, in the order in which it came. */
export interface Store {
	invitations: Map<string, Invitation>;
	webhooks: Map<string, StoredWebhook>;
	deliveries: Map<string, Delivery>;
	/** To be called after every change of a record: counts it, and has it written. */
	changed(): void;
	/** To be called after a change that shows on the overview, but is not of a record. */
	touched(): void;
	/** A text that differs after every change, and from one start of the service to the next. */
	revision(): string;
	/** Writes what is not yet written. Rejects where that fails. */
	close(): Promise<void>;
}

interface Contents {
	invitations: Invitation[];
	webhooks: StoredWebhook[];
	deliveries: Delivery[];
}

/**
 * Opens the service's records.
 *
 * @param dataFile a JSON file that keeps them from one start to the next; without it they are gone at the end.
 *   It holds the webhooks' secrets, which deliveries need, and is readable for its owner only.
 */
export function openStore(dataFile?: string): Store {
	const { invitations, webhooks, deliveries } = read(dataFile);
	const startedAt = Date.now().toString(36);
	let revision = 0;
	let unwritten = false;
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();

	const store: Store = {
		invitations: new Map(invitations.map((one) => [one.invitation_code, one])),
		webhooks: new Map(webhooks.map((one) => [one.id, one])),
		deliveries: new Map(deliveries.map((one) => [one.id, one])),
		changed() {
			revision += 1;
			unwritten = true;
			// Where writing fails, the next change tries again; what remains unwritten at the end is told then.
			if (dataFile) timer ??= setTimeout(() => void write().catch(() => undefined), writeAfterMs);
		},
		touched() {
			revision += 1;
		},
		revision: () => `${startedAt}-${revision}`,
		close: write,
	};

	function write(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		// One after the other, so that an older state never replaces a newer one.
		writing = writing
			.catch(() => undefined)
			.then(async () => {
				if (!dataFile || !unwritten) return;
				unwritten = false;
				try {
					await writeWhole(dataFile, store);
				} catch (error) {
					unwritten = true;
					throw error;
				}
			});
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
		throw new Error(`${dataFile} does not hold this service's data. Move it away to start afresh.`);
	}
}

/** Writes beside the file and then renames, so that the file is never half written. */
async function writeWhole(dataFile: string, { invitations, webhooks, deliveries }: Store) {
	const contents: Contents = {
		invitations: [...invitations.values()],
		webhooks: [...webhooks.values()],
		deliveries: [...deliveries.values()],
	};
	await writeFile(`${dataFile}.new`, JSON.stringify(contents, null, '\t'), { mode: 0o600 });
	await rename(`${dataFile}.new`, dataFile);
}
