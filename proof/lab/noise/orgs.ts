import { jsonOf, type NoisyRequest, type Reply } from './noise.js'

/** The org of each key, from the answers of the control interface. */
export class Orgs {
  readonly #orgs = new Map<string, string>()
  readonly #ofWorkspaces = new Map<string, readonly string[]>()

  /** Learns from the answer to `POST /workspaces`. */
  learn(requested: NoisyRequest, reply: Reply): void {
    if (requested.method !== 'POST' || !requested.path.endsWith('/workspaces')) return
    const made = jsonOf(reply) as
      | { workspace_id?: string; projects?: { org_id: string; api_key: string; inboxes: { api_key: string }[] }[] }
      | undefined
    const { workspace_id: workspace = '', projects = [] } = made ?? {}
    this.#ofWorkspaces.set(
      workspace,
      projects.map(({ org_id }) => org_id),
    )
    for (const { org_id, api_key, inboxes } of projects)
      for (const key of [api_key, ...inboxes.map((inbox) => inbox.api_key)]) this.#orgs.set(key, org_id)
  }

  /** Returns the org of a key; an unknown key is an org of its own. */
  of(key: string): string {
    return this.#orgs.get(key) ?? key
  }

  /** The orgs that a request to the control interface is about: those of the workspace it names, or the one it names itself. */
  namedBy({ path, body }: NoisyRequest): readonly string[] {
    const [, workspace] = /\/workspaces\/([^/?]+)/.exec(path) ?? []
    if (workspace !== undefined) return this.#ofWorkspaces.get(decodeURIComponent(workspace)) ?? []
    const { org_id: org } = (jsonOf({ body }) ?? {}) as { readonly org_id?: unknown }
    return typeof org === 'string' ? [org] : []
  }
}
