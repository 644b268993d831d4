/** A node remembers as many. Beyond this number, the oldest are forgotten, even if they were skipped recently. */
export const MAX_APPLICATIONS = 20_000;

/** Room for the further entries of those that are claimed or in doubt. */
export const MAX_IN_DOUBT = 2_000;

/** A crash during a lookup leaves at most this many in doubt. */
export const LOOKUP_SIZE = 100;

/** Of what n8n has as output, and may still discard, this process keeps as many, beside those of the last run. */
export const MAX_OUTPUT = 2_000;
