/** How many a node remembers. Beyond that, it forgets the oldest, even if they were skipped recently. */
export const MAX_APPLICATIONS = 20_000;

/** Room for the further entries of claims and doubts. */
export const MAX_IN_DOUBT = 2_000;

/** A crash during a lookup leaves at most this many in doubt. */
export const LOOKUP_SIZE = 100;

/** How many outcomes this process keeps of other executions whose output n8n has, and may still discard. */
export const MAX_OUTPUT = 2_000;
