import type { Project } from './project.js'
import { SandboxClock, type ClockParts } from './sandbox-clock.js'

/** Where one case plays: a fresh workspace, or the configured org. */
export class Sandbox extends SandboxClock {
  readonly projects: readonly Project[]
  readonly #parts: ClockParts

  constructor(parts: ClockParts, projects: (sandbox: Sandbox) => readonly Project[]) {
    super(parts)
    this.#parts = parts
    this.projects = projects(this)
  }

  /** Nothing but the case itself acts here. */
  get isIsolated(): boolean {
    return this.#parts.workspaceId !== undefined
  }

  get workspaceId(): string {
    return this.#parts.workspaceId ?? 'configured'
  }

  /** The first project, which most cases need alone. */
  get project(): Project {
    const [first] = this.projects
    if (first === undefined) throw new Error('a sandbox has at least one project')
    return first
  }

  /** Drops the workspace and all that belongs to it before the case ends; nothing happens in a shared org. */
  async drop(): Promise<void> {
    const { control, workspaceId } = this.#parts
    if (control !== undefined && workspaceId !== undefined) await control.deleteWorkspace(workspaceId)
  }

  /** Pauses or resumes the workspace's sending. */
  async setSending(status: 'paused' | 'active', reason?: string): Promise<void> {
    const { control, workspaceId, evidence } = this.#parts
    if (control !== undefined && workspaceId !== undefined)
      await control.setSending(workspaceId, status, reason, evidence)
  }
}
