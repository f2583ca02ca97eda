/** What the patches of one loaded copy keep between requests, by a name of their own; another copy has another object. */
export const ownState: Record<string, unknown> = {}
