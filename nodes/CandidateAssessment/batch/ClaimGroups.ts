import type { ItemOutcome } from '../actions/operation';
import type { Claim } from '../memory/claim';
import type { Memory } from '../memory/memory';

/**
 * Claims a list in groups, each as many as may be in flight, and the next one while the last of a group is sent: a
 * crash leaves at most two groups in doubt.
 */
export class ClaimGroups {
	/** By group, once it's being claimed. */
	private readonly failures: Array<Promise<ItemOutcome | undefined>> = [];

	constructor(
		private readonly memory: Memory,
		private readonly claims: readonly Claim[],
		private readonly size: number,
	) {}

	/** Claims the group at this position of the list. If that fails, gives the outcome of all in it: none may be sent. */
	async claim(position: number): Promise<ItemOutcome | undefined> {
		const failure = await this.claimGroupAt(position);
		if (!failure) void this.claimGroupAt(position + 1);
		return failure;
	}

	/** Resolves once nothing is being claimed. */
	async end(): Promise<void> {
		await Promise.all(this.failures);
	}

	private async claimGroupAt(position: number): Promise<ItemOutcome | undefined> {
		const group = Math.floor(position / this.size);
		const claims = this.claims.slice(group * this.size, (group + 1) * this.size);
		this.failures[group] ??= this.memory.claim(claims).then(
			() => undefined,
			(error: Error) => ({ kind: 'notSent', error }),
		);
		return await this.failures[group];
	}
}
