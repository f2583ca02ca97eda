import type { Secrets } from '../secrets.js'
import type { Evidence } from '../wire/evidence.js'
import type { SandboxRequest } from './context.js'
import { isRefusalOfControl, type Control, type WorkspaceGrant } from './control.js'
import type { Journal } from './shared-org/created-resources.js'

export interface WorkspacesParts {
  readonly control: Control
  readonly journal: Journal | undefined
  readonly secrets: Secrets
  readonly evidence: Evidence
}

/** The workspaces of one case: made through the control interface, and dropped when the case ends. */
export class Workspaces {
  readonly #parts: WorkspacesParts
  readonly #ids: string[] = []
  readonly #granting: Promise<unknown>[] = []

  constructor(parts: WorkspacesParts) {
    this.#parts = parts
  }

  make({ projects = 1, inboxes = 2 }: SandboxRequest): Promise<WorkspaceGrant> {
    const { control, journal, secrets, evidence } = this.#parts
    const intent = journal?.intends({ kind: 'workspace', isMarked: false })
    const granted = control.createWorkspace({ projects, inboxes }, evidence).then(
      (grant) => {
        for (const project of grant.projects)
          for (const { apiKey } of [project, ...project.inboxes]) secrets.add(apiKey)
        this.#ids.push(grant.workspaceId)
        journal?.made({ kind: 'workspace', id: grant.workspaceId }, intent)
        return grant
      },
      (error: unknown) => {
        if (intent !== undefined && isRefusalOfControl(error)) journal?.refused(intent)
        throw error
      },
    )
    this.#granting.push(granted)
    return granted
  }

  async drop(): Promise<void> {
    // A workspace requested before the case was cut off is created anyway.
    await Promise.allSettled(this.#granting)
    const { control, journal } = this.#parts
    const dropped = this.#ids.map(async (id) => {
      await control.deleteWorkspace(id)
      journal?.removed({ kind: 'workspace', id })
    })
    // One that cannot be dropped keeps none of the others.
    await Promise.allSettled(dropped)
    await Promise.all(dropped)
  }
}

/**
 * Resolves to the result of `ask` with the key of a workspace that is dropped again; to undefined if there is no workspace or the request
 * failed, which the cases report.
 */
export async function inWorkspace<Got>(
  parts: WorkspacesParts,
  send: (apiKey: string | undefined) => Promise<Got>,
): Promise<Got | undefined> {
  const workspaces = new Workspaces(parts)
  try {
    const { projects } = await workspaces.make({ inboxes: 0 })
    return await send(projects[0]?.apiKey)
  } catch {
    return undefined
  } finally {
    await workspaces.drop()
  }
}
