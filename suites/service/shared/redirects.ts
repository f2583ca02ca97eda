/** Statuses that lead elsewhere; 300 too: its Location is the one that the consumer prefers, and some libraries go there. */
export const redirects: readonly number[] = [300, 301, 302, 303, 307, 308]
