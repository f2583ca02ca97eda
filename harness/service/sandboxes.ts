// The two places a case can play in: a workspace made for it, and the org of the configuration, which others use too.
import { eventTypes } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import { CaseErrored } from '../check.js'
import type { Sink } from '../sink/sink.js'
import type { Evidence } from '../wire/evidence.js'
import type { Api } from './api.js'
import type { AttemptNumbers } from './attempt-numbers.js'
import type { SandboxRequest } from './context.js'
import type { Control, WorkspaceGrant } from './control.js'
import { NewResources } from './new-resources.js'
import type { ListReads } from './list-reads.js'
import { OrgCursor } from './org-cursor.js'
import { Project } from './project.js'
import { controlRaiser, sendingRaiser, triggerRaiser, undoingRaiser, type Raiser } from './raise.js'
import { Sandbox } from './sandbox.js'
import type { OrgFacts } from './shared-org/facts.js'
import { SharedOrg } from './shared-org/index.js'
import type { CaseCheckpoint } from './shared-org/resume.js'
import type { StreamBudget } from './stream-budget.js'
import type { ServiceTarget } from './target.js'
import type { Watch } from './watch.js'

/** Longest wait in a workspace for an event whose cause was there, in milliseconds. */
const causedWithinMs = 15_000

/** What a sandbox is made of. */
export interface SandboxParts {
  readonly target: ServiceTarget
  readonly control: Control | undefined
  readonly sink: Sink | undefined
  readonly tools: CaseTools
  readonly evidence: Evidence
  /** The reads of the case. */
  readonly lists: ListReads
  /** When the case last changed something by a request, in milliseconds since the epoch; -Infinity before that. */
  readonly changedAt: () => number
  readonly watch: Watch
  /** What the streams of the run may keep, all together. */
  readonly streams: StreamBudget
  /** What `attempt` counts at the target. */
  readonly attemptNumbers: AttemptNumbers
  /** The API as a key sees it. */
  readonly api: (key: string | undefined, fresh?: NewResources) => Api
  /** Whether cases can cause a `message.received`. */
  readonly canRaise: boolean
}

/** The sandbox of a workspace made for the case. */
export function workspaceSandbox(parts: SandboxParts, grant: WorkspaceGrant): Sandbox {
  const { workspaceId } = grant
  const hasClock = parts.control?.offered.has('clock') === true
  return new Sandbox({ ...parts, workspaceId, hasClock }, (sandbox) =>
    grant.projects.map((project) => projectOf(parts, sandbox, project)),
  )
}

function projectOf(parts: SandboxParts, sandbox: Sandbox, project: WorkspaceGrant['projects'][number]): Project {
  const { target, control, evidence } = parts
  const { triggers } = target
  const fresh = new NewResources(project.apiKey)
  const api = parts.api(project.apiKey, fresh)
  const from = `Conformance Probe <probe@${project.domain}>`
  const cursor = new OrgCursor(api)
  const mail = { api, from, triggers, cursor }
  const causedByMail = triggerRaiser({ ...mail, withinMs: causedWithinMs })
  const causedBySending = sendingRaiser({
    api,
    cursor,
    setSending: (status, reason) => sandbox.setSending(status, reason),
    withinMs: causedWithinMs,
  })
  return new Project({
    ...parts,
    clock: sandbox,
    shared: undefined,
    workspaceId: sandbox.workspaceId,
    orgId: project.orgId,
    domain: project.domain,
    from,
    api,
    inboxes: project.inboxes.map(({ id, address, apiKey }) => ({ id, address, api: parts.api(apiKey, fresh) })),
    raiser:
      control?.offered.has('events') === true
        ? controlRaiser({ control, orgId: project.orgId, evidence })
        : triggerRaiser(mail),
    causer: (type) => {
      if (eventTypes[type] === 'workspace')
        return control?.offered.has('sending') === true ? causedBySending : undefined
      const trigger = triggers[type]
      // A command acts in the configured org, not in this workspace; every service queues what it sends.
      const isMail = trigger === undefined ? type === 'message.queued' : trigger.kind !== 'command'
      return isMail ? causedByMail : undefined
    },
  })
}

export interface ConfiguredOrg {
  readonly cursor: OrgCursor
  /** Undefined where it is of no use. */
  readonly facts: OrgFacts | undefined
  /** A webhook of the org with more deliveries than the largest page. */
  readonly busyWebhook: string | undefined
  /** What the case made and saw before the run was stopped; only for cases that wait for long. */
  readonly checkpoint: CaseCheckpoint | undefined
}

/** The sandbox of the org of the configuration; with two projects the second is the one of the second key. */
export function configuredSandbox(
  parts: SandboxParts,
  org: ConfiguredOrg,
  { projects = 1 }: SandboxRequest = {},
): Sandbox {
  const { apiKey, from, inboxes } = parts.target
  const fresh = new NewResources(apiKey)
  const api = parts.api(apiKey, fresh)
  const learnt = (org.facts?.inboxIds ?? []).map((id) => ({ id, address: '', apiKey: undefined }))
  const known = inboxes.length > 0 ? inboxes : learnt
  // Events of the case that reach a webhook of the second org are not a stranger's.
  const shared = new SharedOrg(org.checkpoint)
  return new Sandbox({ ...parts, workspaceId: undefined, hasClock: false }, (sandbox) => [
    new Project({
      ...parts,
      clock: sandbox,
      shared,
      workspaceId: sandbox.workspaceId,
      orgId: undefined,
      domain: from === undefined ? undefined : /@([^>\s]+)/.exec(from)?.[1],
      from,
      api,
      inboxes: known.map((inbox) => ({ id: inbox.id, address: inbox.address, api: parts.api(inbox.apiKey, fresh) })),
      raiser: configuredRaiser(parts, org, api),
      listEnd: () => org.cursor.end(),
      recent: () => org.cursor.recent(),
      busyWebhook: org.busyWebhook,
    }),
    ...(projects > 1 ? [secondProject(parts, sandbox, shared)] : []),
  ])
}

/** Of the second org nothing is known but its key. */
function secondProject(parts: SandboxParts, sandbox: Sandbox, shared: SharedOrg): Project {
  return new Project({
    ...parts,
    canRaise: false,
    clock: sandbox,
    shared,
    workspaceId: sandbox.workspaceId,
    orgId: undefined,
    domain: undefined,
    from: undefined,
    api: parts.api(parts.target.secondApiKey),
    inboxes: [],
    raiser: {
      raise: async ({ type }) => {
        throw new CaseErrored(`${type} cannot be raised in the second project`)
      },
    },
  })
}

function configuredRaiser({ target, control, evidence, tools }: SandboxParts, org: ConfiguredOrg, api: Api): Raiser {
  const { from, triggers } = target
  const { cursor, facts } = org
  if (control === undefined || facts?.orgId === undefined)
    return undoingRaiser(triggerRaiser({ api, from, triggers, cursor }), {
      canPause: triggers['sending.paused'] !== undefined,
      cleanup: tools.cleanup,
    })
  return controlRaiser({ control, orgId: facts.orgId, evidence, listedAfter: () => cursor.end() })
}
