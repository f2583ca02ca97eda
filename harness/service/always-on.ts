import { secretPrefix, type EventType, type RequirementId } from '../../spec/index.js'
import type { Attempt } from '../sink/attempt.js'
import { show } from '../check.js'
import type { Secrets } from '../secrets.js'
import { cut } from '../wire/cut.js'
import type { Exchange } from '../wire/exchange.js'
import { memberOf } from '../wire/exchange.js'
import { signatureProblem } from '../wire/signing.js'
import type { OperationId } from './api.js'
import { contractViolations, eventComponent } from './contract-check.js'
import { errorOf, itemsOf } from './read.js'
import type { StreamFrame } from './stream.js'
import type { Observations, Watch } from './watch.js'

/** What a successful answer of each operation is held against, and the requirement it is booked on. */
const answers: Partial<
  Record<OperationId, { readonly component: string; readonly requirement: RequirementId; readonly each?: true }>
> = {
  createWebhook: { component: 'CreatedWebhook', requirement: 'WHK-002' },
  listWebhooks: { component: 'Webhook', requirement: 'WHK-011', each: true },
  listDeliveries: { component: 'Delivery', requirement: 'DLV-012', each: true },
  pollEvents: { component: 'EventPage', requirement: 'POL-007' },
  sendEmail: { component: 'SentEmail', requirement: 'SND-001' },
  sendBatch: { component: 'SentBatch', requirement: 'SND-004' },
  getEmail: { component: 'Email', requirement: 'SND-007' },
  listEmails: { component: 'EmailPage', requirement: 'SND-008' },
  updateEmail: { component: 'EmailReference', requirement: 'SND-010' },
  cancelEmail: { component: 'EmailReference', requirement: 'SND-011' },
}

/** The requirement that describes the data of an event type. */
const requirementOfType: Readonly<Record<EventType, RequirementId>> = {
  'message.received': 'EVT-003',
  'message.queued': 'EVT-004',
  'message.delivered': 'EVT-005',
  'message.deferred': 'EVT-006',
  'message.bounced': 'EVT-007',
  'message.complained': 'EVT-008',
  'message.failed': 'EVT-009',
  'sending.paused': 'EVT-010',
  'sending.resumed': 'EVT-011',
}

/** Characters of a secret that no other text of an answer has by chance. */
const shortestKey = 16

export interface AlwaysOnParts {
  readonly observations: Observations
  readonly secrets: Secrets
  readonly caseId: string
}

/** The always-on checks as one case applies them: they book what they see, and fail the run's last cases, not this one. */
export function alwaysOn({ observations, secrets, caseId }: AlwaysOnParts): Watch {
  /** What stands behind the prefix of each secret that was handed out in this case. */
  const keys = new Set<string>()
  const report = (requirement: RequirementId, what: string, expected: string, got: unknown) =>
    observations.add({ requirement, what, expected, got, caseId })
  const hold = (component: string, value: unknown, fallback: RequirementId, what: () => string) => {
    observations.judged(fallback)
    for (const violation of contractViolations(component, value, fallback))
      report(violation.requirement, `${what()}, ${violation.where}`, violation.problem, value)
  }
  const holdEvent = (event: unknown, bodyRequirement: RequirementId, what: string) => {
    observations.judged(bodyRequirement)
    observations.judged(requirementOfType[memberOf(event, 'type') as EventType] ?? bodyRequirement)
    const component = eventComponent(memberOf(event, 'type')) ?? 'OtherEvent'
    for (const violation of contractViolations(component, event, bodyRequirement)) {
      const isInData = violation.where.includes('.data.') || violation.where.endsWith('.data')
      const isOfField = violation.requirement === 'EVT-001' || violation.requirement === 'EVT-002'
      const requirement = isInData || isOfField ? violation.requirement : bodyRequirement
      report(requirement, `${what}, ${violation.where}`, violation.problem, event)
    }
  }

  return {
    secret: (value) => secrets.add(value),
    delivery(attempt, secret) {
      holdSignature(attempt, secret)
      const event = attempt.json
      if (typeof event === 'object' && event !== null) holdEvent(event, 'DLV-002', 'body of a delivery')
      else report('DLV-002', 'body of a delivery', 'a JSON object', cut(attempt.text, 200))
    },
    frame(frame) {
      holdFrame(frame)
    },
    exchange(exchange, operation) {
      const { status } = exchange
      if (status === undefined) return
      // Whatever else is wrong with it: what a create response calls a secret is one from then on.
      const secret = exchange.field('secret')
      if (operation === 'createWebhook' && typeof secret === 'string') {
        secrets.add(secret)
        keys.add(secret.slice(secretPrefix.length))
      } else holdSecrets(exchange)
      observations.judged('ERR-003')
      if (status >= 500) {
        report('ERR-003', `answer to ${exchange.label}`, 'no 5xx', `${status} ${exchange.excerpt}`)
        return
      }
      if (status >= 400) {
        holdError(exchange)
        return
      }
      const expected = answers[operation]
      if (expected === undefined || status >= 300) return
      if (expected.each !== true) {
        hold(expected.component, exchange.json, expected.requirement, () => `answer to ${exchange.label}`)
        return
      }
      for (const item of itemsOf(exchange) ?? [])
        hold(expected.component, item, expected.requirement, () => `item of ${exchange.label}`)
    },
  }

  function holdSecrets(exchange: Exchange): void {
    observations.judged('WHK-013')
    for (const key of keys)
      if (key.length >= shortestKey && exchange.text.includes(key))
        report('WHK-013', `secret in the answer to ${exchange.label}`, 'nowhere', 'found')
  }

  function holdSignature(attempt: Attempt, secret: string): void {
    const headers = {
      id: attempt.header('webhook-id'),
      timestamp: attempt.header('webhook-timestamp'),
      signature: attempt.header('webhook-signature'),
    }
    observations.judged('DLV-003')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      if (attempt.headerLines(name).length !== 1)
        report('DLV-003', `header ${name} of a delivery`, 'once', attempt.headerLines(name))
    observations.judged('DLV-001')
    if (attempt.method !== 'POST') report('DLV-001', 'method of a delivery', 'POST', attempt.method)
    if (headers.id === undefined || headers.timestamp === undefined || headers.signature === undefined) return
    observations.judged('SIG-004')
    const problem = signatureProblem(headers, attempt.body, secret)
    if (problem !== undefined)
      report('SIG-004', 'signature of a delivery', 'a v1 entry that equals the computed signature', problem)
    observations.judged('SIG-003')
    const malformed = headers.signature.split(' ').filter((entry) => !/^[^\s,]+,[A-Za-z0-9+/_-]+={0,2}$/.test(entry))
    if (malformed.length > 0)
      report(
        'SIG-003',
        'header webhook-signature',
        'space-separated entries of a version, a comma and base64',
        headers.signature,
      )
    observations.judged('SIG-001')
    if (headers.id !== attempt.field('id'))
      report('SIG-001', 'header webhook-id', `the event id ${show(attempt.field('id'))}`, headers.id)
    observations.judged('SIG-002')
    if (!/^\d{9,11}$/.test(headers.timestamp))
      report('SIG-002', 'header webhook-timestamp', 'Unix seconds', headers.timestamp)
  }

  function holdFrame(frame: StreamFrame): void {
    observations.judged('STR-002')
    if (!frame.isText || typeof frame.event !== 'object' || frame.event === null)
      report(
        'STR-002',
        'frame of the stream',
        'a text frame with one JSON object',
        frame.isText ? cut(frame.text, 200) : 'a binary frame',
      )
    else holdEvent(frame.event, 'STR-003', 'frame of the stream')
  }

  function holdError(exchange: Exchange): void {
    const requirement = exchange.status === 401 || exchange.status === 403 ? 'ERR-005' : 'ERR-001'
    observations.judged(requirement)
    const error = errorOf(exchange)
    for (const name of ['code', 'message', 'fix'] as const)
      if (typeof error[name] !== 'string' || error[name] === '')
        report(requirement, `error of ${exchange.label} (${exchange.status})`, `a text in "${name}"`, exchange.excerpt)
  }
}
