import { answerTimeMs, retryDelaysMs, type EventType } from '../../spec/index.js'
import type { Control } from './control.js'
import { defaultTrigger } from './raise.js'
import type { ServiceNeed } from './needs.js'
import type { OrgFacts, OrgPast } from './shared-org/facts.js'
import type { ServiceTarget } from './target.js'

/** The facts by which a run decides which cases it can run. */
export interface CapabilitySources {
  readonly target: ServiceTarget
  readonly control: Pick<Control, 'offered'> | undefined
  /** There is a listener on another loopback address than the sink's, to which nothing may connect. */
  readonly hasCanary: boolean
  readonly hasNameServer: boolean
  readonly hasSink: boolean
  /** No proxy ends TLS before the sink. */
  readonly hasDirectSink: boolean
  /** Why the service refuses webhooks for the configured sink. */
  readonly sinkRefusal?: string | undefined
  /** Why the second key is of no use, although there is one. */
  readonly secondKeyProblem?: string | undefined
  /** The service trusts the certificate the sink shows for a name under the run's control. */
  readonly hasNamedSink: boolean
  /** Facts about the configured org; undefined if it cannot be used. */
  readonly org: OrgFacts | undefined
  /** What the configured org holds from before; undefined where nothing was looked for. */
  readonly past?: OrgPast | undefined
}

const controlHint = 'or a test deployment with the control interface (--control-url, --control-key)'

/** Undefined when the power is there; else the one line that would enable it. */
export function findMissing(need: ServiceNeed, sources: CapabilitySources): string | undefined {
  const { target, control } = sources
  const offers = control?.offered
  const hasWorkspaces = offers?.has('workspaces') === true
  if (!hasWorkspaces && target.apiKey === undefined)
    return 'needs an API key: --api-key or api_key in the configuration'
  if (isOfEvent(need)) return findMissingOfEvent(need.slice('event:'.length) as EventType, sources)
  if (isOfTime(need)) return findMissingOfTime(Number(need.slice('time:'.length)), sources)
  switch (need) {
    case 'org':
      return undefined
    case 'sink':
      if (sources.hasSink) return undefined
      if (sources.sinkRefusal !== undefined) return sources.sinkRefusal
      return `needs a webhook sink the service can reach: receiver.public_url in the configuration, ${controlHint} with egress`
    case 'past-events':
      if (sources.past?.hasEvents === true || findMissingOfEvent('message.received', sources) === undefined)
        return undefined
      return `needs an org that has some events, or can raise them: from and inboxes in the configuration, ${controlHint} with events`
    case 'past-emails':
      if (hasWorkspaces || target.from !== undefined || sources.past?.hasEmails === true) return undefined
      return `needs an org that has some emails, or an address that may send: from in the configuration, ${controlHint}`
    case 'past-deliveries':
      if (sources.past?.busyWebhook !== undefined) return undefined
      return findMissing('sink', sources) ?? findMissingOfEvent('message.received', sources)
    case 'own-data':
      if (offers?.has('events') !== true) return 'needs events with chosen data: a control interface with events'
      return hasWorkspaces ? undefined : findMissingOfOrg(sources)
    case 'workspace':
      return hasWorkspaces ? undefined : 'needs a fresh workspace: a control interface with workspaces'
    case 'projects':
      return hasWorkspaces ? undefined : 'needs a second project: a control interface with workspaces'
    case 'second-key':
      if (hasWorkspaces) return undefined
      if (target.secondApiKey === undefined)
        return `needs a key of a second project: --second-api-key or second_api_key in the configuration, ${controlHint}`
      return sources.secondKeyProblem
    case 'inboxes':
      if (hasWorkspaces || target.inboxes.filter((inbox) => inbox.apiKey !== undefined).length >= 2) return undefined
      return `needs two inboxes with keys of their own: inboxes in the configuration, ${controlHint}`
    case 'clock':
      if (hasWorkspaces && offers.has('clock')) return undefined
      return 'needs a clock that can be moved: a control interface with workspaces and clock'
    case 'dns':
      if (offers?.has('dns') === true || sources.hasNameServer) return undefined
      return `needs host names with addresses that the run can set: dns.zone in the configuration, ${controlHint} with dns`
    case 'named-sink':
      if (sources.hasNamedSink) return undefined
      if (sources.hasSink && offers?.has('egress') === true && offers.has('dns'))
        return 'needs a tunnel that leaves TLS to the sink: receiver.public_url, as seen from here, does not show its certificate for a name of the run'
      return 'needs a sink with a certificate for names under dns.zone: receiver.public_url under this zone, or a control interface with egress'
    case 'direct-sink':
      if (sources.hasDirectSink) return undefined
      return 'needs a direct connection from the service to the sink: receiver.public_url shows another certificate from here, so a proxy may answer instead'
    case 'canary':
      if (offers?.has('egress') === true && sources.hasCanary) return undefined
      return 'needs a second loopback address next to the sink: a control interface with egress, on this machine'
    case 'send':
      if (hasWorkspaces || target.from !== undefined) return undefined
      return `needs an address that may send: from in the configuration, ${controlHint}`
    case 'sending-status':
      if (hasWorkspaces && offers.has('sending')) return undefined
      return 'needs to pause sending: a control interface with workspaces and sending'
    default:
      // A need without a line above does not compile.
      return need satisfies never
  }
}

function isOfEvent(need: ServiceNeed): need is Extract<ServiceNeed, `event:${string}`> {
  return need.startsWith('event:')
}

function isOfTime(need: ServiceNeed): need is Extract<ServiceNeed, `time:${string}`> {
  return need.startsWith('time:')
}

/** Events raised in an org that was not made for the run need its id and an inbox. */
function findMissingOfOrg({ target, org }: CapabilitySources): string | undefined {
  if (org?.orgId === undefined)
    return 'needs the id of the org, which its events contain: from and inboxes in the configuration, or any event in the org'
  if (org.inboxIds.length > 0 || target.inboxes.length > 0) return undefined
  return 'needs an inbox: inboxes in the configuration'
}

function findMissingOfEvent(type: EventType, sources: CapabilitySources): string | undefined {
  const { target, control } = sources
  const hasWorkspaces = control?.offered.has('workspaces') === true
  if (control?.offered.has('events') !== true) return findMissingOfTrigger(type, target, hasWorkspaces)
  if (hasWorkspaces) return undefined
  const missing = findMissingOfOrg(sources)
  const canTrigger = sources.org?.orgId === undefined && findMissingOfTrigger(type, target, false) === undefined
  return canTrigger ? undefined : missing
}

function findMissingOfTrigger(type: EventType, target: ServiceTarget, hasWorkspaces: boolean): string | undefined {
  const trigger = target.triggers[type] ?? defaultTrigger(type)
  if (trigger === undefined)
    return `needs ${type} to be raised: triggers in the configuration, ${controlHint} with events`
  if (type === 'sending.paused' && target.triggers['sending.resumed'] === undefined)
    return 'needs a way to resume sending: triggers.sending.resumed in the configuration'
  if (trigger.kind === 'command') return undefined
  const canSend = hasWorkspaces || target.from !== undefined
  if (!canSend) return 'needs an address that may send: from in the configuration'
  const hasInbox = hasWorkspaces || target.inboxes.length > 0
  return trigger.kind === 'send_to_inbox' && !hasInbox ? 'needs an inbox: inboxes in the configuration' : undefined
}

/** Slack for the other work of a case than waiting, in milliseconds. */
const slackMs = 5_000

/** Longest real time for a watch of this many attempts, in milliseconds. */
function realTimeBudgetMs(retryDepth: number): number {
  const delays: readonly number[] = retryDelaysMs
  return delays.slice(0, retryDepth).reduce((sum, delayMs) => sum + delayMs, 0) + answerTimeMs + slackMs
}

function findMissingOfTime(ms: number, { target, control }: CapabilitySources): string | undefined {
  if (control?.offered.has('workspaces') === true && control.offered.has('clock')) return undefined
  if (ms <= realTimeBudgetMs(target.retryDepth)) return undefined
  const delays: readonly number[] = retryDelaysMs
  const depth = delays.findIndex((_, index) => ms <= realTimeBudgetMs(index + 1)) + 1
  return `takes ${readableMs(ms)} in real time: --retry-depth ${depth === 0 ? delays.length : depth}, ${controlHint} with clock`
}

/** `5 min`, `17 h 35 min`. */
export function readableMs(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ') || '0 s'
  )
}
