import { jsonOf, type Asked, type Reply } from './noise.js'

/** Which key belongs to which org, as the answers of the control interface tell. */
export class Orgs {
  readonly #orgs = new Map<string, string>()

  /** Learns from the answer to `POST /workspaces`. */
  learn(asked: Asked, reply: Reply): void {
    if (asked.method !== 'POST' || !asked.path.endsWith('/workspaces')) return
    const made = jsonOf(reply) as
      { projects?: { org_id: string; api_key: string; inboxes: { api_key: string }[] }[] } | undefined
    for (const { org_id, api_key, inboxes } of made?.projects ?? [])
      for (const key of [api_key, ...inboxes.map((each) => each.api_key)]) this.#orgs.set(key, org_id)
  }

  /** The org of a key; a key nobody told of is an org of its own. */
  of(key: string): string {
    return this.#orgs.get(key) ?? key
  }
}
