// SCOPE-007: an org, and those whose keys are not to see it.

import type { Project, Sandbox, ServiceContext } from '../../../harness/authoring.js'

export interface OtherOrgs {
  /** The sandbox of the owner. */
  readonly sandbox: Sandbox
  readonly owner: Project
  /** A project of the same workspace and one of another; where the case has no workspaces of its own, the org of the second key. */
  readonly others: readonly Project[]
  /** Waits until nothing is on its way any more in any of the workspaces. */
  settleAll(): Promise<void>
}

/** Opens an org and others whose keys are not to see it. */
export async function openOtherOrgs(openSandbox: ServiceContext['openSandbox']): Promise<OtherOrgs> {
  const sandbox = await openSandbox({ projects: 2 })
  const elsewhere = sandbox.isIsolated ? [await openSandbox()] : []
  return {
    sandbox,
    owner: sandbox.project,
    others: [...sandbox.projects.slice(1), ...elsewhere.map(({ project }) => project)],
    async settleAll() {
      for (const place of [sandbox, ...elsewhere]) await place.settle()
    },
  }
}
