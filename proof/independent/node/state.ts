// What the service knows, in memory: workspaces with projects, their inboxes, webhooks, deliveries, events and emails.
import { randomBytes, randomUUID } from 'node:crypto'
import type { WorkspaceClock } from './clock.js'

export interface Inbox {
  readonly id: string
  readonly address: string
  readonly key: string
  readonly project: Project
}

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly at: string
  readonly inboxId: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export interface Webhook {
  readonly id: string
  readonly url: URL
  /** The URL as requested. */
  readonly shownUrl: string
  readonly eventTypes: readonly string[]
  readonly inboxId: string | null
  readonly secret: string
  readonly project: Project
  readonly deliveries: Delivery[]
  isDeleted: boolean
}

/** What the list shows of a delivery. */
export interface DeliveryView {
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly attempt: number
  readonly code?: number
  readonly snippet?: string
  readonly nextAt?: number
  readonly problem?: string
}

export interface Delivery {
  readonly id: string
  readonly webhook: Webhook
  readonly event: StoredEvent
  readonly replayOf: string | undefined
  /** Its states, each with the real time of its begin: the list is read from a lagging copy. */
  readonly history: { readonly since: number; readonly view: DeliveryView }[]
}

export interface Email {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly cc: string | undefined
  readonly key: string
  readonly thread: string
  status: string
  scheduledAt: number | undefined
  /** Cancels a hand-over that has not happened yet. */
  recall: () => void
}

export interface Project {
  readonly id: string
  readonly key: string
  readonly domain: string
  readonly workspace: Workspace
  readonly inboxes: Inbox[]
  readonly webhooks: Map<string, Webhook>
  readonly events: StoredEvent[]
  readonly emails: Map<string, Email>
  readonly listeners: Set<(event: StoredEvent) => void>
  /** First answers by idempotency key, with the body they answered. */
  readonly firstAnswers: Map<string, { readonly body: string; readonly status: number; readonly value: unknown }>
}

export interface Workspace {
  readonly id: string
  readonly clock: WorkspaceClock
  readonly projects: Project[]
  sending: 'active' | 'paused'
}

/** The caller: a project, and the inbox its key is limited to. */
export interface Caller {
  readonly key: string
  readonly project: Project
  readonly inbox: Inbox | undefined
}

export class State {
  readonly workspaces = new Map<string, Workspace>()
  readonly projects = new Map<string, Project>()
  readonly callers = new Map<string, Caller>()
  readonly inboxesByAddress = new Map<string, Inbox>()

  addWorkspace(clock: WorkspaceClock, projects: number, inboxes: number): Workspace {
    const workspace: Workspace = { id: randomUUID(), clock, projects: [], sending: 'active' }
    for (let index = 0; index < projects; index++) workspace.projects.push(this.#addProject(workspace, inboxes))
    this.workspaces.set(workspace.id, workspace)
    return workspace
  }

  dropWorkspace(workspace: Workspace): void {
    workspace.clock.stop()
    this.workspaces.delete(workspace.id)
    for (const project of workspace.projects) {
      this.projects.delete(project.id)
      this.callers.delete(project.key)
      for (const hook of project.webhooks.values()) hook.isDeleted = true
      for (const { key, address } of project.inboxes) {
        this.callers.delete(key)
        this.inboxesByAddress.delete(address)
      }
    }
  }

  #addProject(workspace: Workspace, inboxes: number): Project {
    const name = randomBytes(5).toString('hex')
    const project: Project = {
      id: randomUUID(),
      key: newKey(),
      domain: `${name}.mail.example`,
      workspace,
      inboxes: [],
      webhooks: new Map(),
      events: [],
      emails: new Map(),
      listeners: new Set(),
      firstAnswers: new Map(),
    }
    for (let index = 0; index < inboxes; index++) {
      const address = `box-${index}@${name}.in.example`
      const inbox = { id: `ibx_${randomUUID()}`, address, key: newKey(), project }
      project.inboxes.push(inbox)
      this.inboxesByAddress.set(address, inbox)
      this.callers.set(inbox.key, { key: inbox.key, project, inbox })
    }
    this.projects.set(project.id, project)
    this.callers.set(project.key, { key: project.key, project, inbox: undefined })
    return project
  }
}

function newKey(): string {
  return `key-${randomBytes(20).toString('base64url')}`
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
let latest = 0n

/** An event id: 26 characters of a base32 whose order is that of the numbers, time first, each greater than all before. */
export function nextEventId(): string {
  const now = BigInt(Date.now()) << 80n
  latest = (now > latest ? now : latest) + (BigInt(randomBytes(2).readUInt16BE()) + 1n)
  let text = ''
  for (let rest = latest, digit = 0; digit < 26; digit++, rest >>= 5n)
    text = (alphabet[Number(rest & 31n)] ?? '') + text
  return `evt_${text}`
}
