import { secretPrefix, type RequirementId } from '../../spec/index.js'
import type { Attempt } from '../sink/attempt.js'
import type { Secrets } from '../secrets.js'
import { cut } from '../wire/cut.js'
import type { Exchange } from '../wire/exchange.js'
import { matchingEntry, signatureProblem } from '../diagnose/signature-problem.js'
import type { OperationId } from './api.js'
import { contractViolations, maxItems, type ContractViolation } from './contract-check.js'
import { itemsOf } from './answer-readers.js'
import {
  eventPageFaults,
  checkDeliveryBody,
  checkDeliveryHead,
  checkError,
  checkFrame,
  pushedEventFaults,
  requirementsOfEvent,
  type RuleRecorder,
} from './rules.js'
import type { Observations, Watch } from './watch.js'

/** The schema for a successful answer of each operation, and the requirement of its mismatches. */
export const answers: Partial<
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

/** Times in a row that a request is answered with a 5xx before that is the service's own answer. */
const leastFaults = 3

/** Characters of a secret that no other text of an answer has by chance. */
const shortestKey = 16

export interface AlwaysOnParts {
  readonly observations: Observations
  readonly secrets: Secrets
  readonly caseId: string
}

/** The always-on checks as one case applies them: they book what they see, and fail the run's last cases, not this one. */
export function alwaysOn({ observations, secrets, caseId }: AlwaysOnParts): Watch {
  /** Each secret issued in this case, without its prefix. */
  const keys = new Set<string>()
  /** Answers with a 5xx in a row, by request. */
  const faults = new Map<string, number>()
  const report = (requirement: RequirementId, what: string, expected: string, got: unknown) =>
    observations.add({ requirement, what, expected, got, caseId })
  const reportAll = (faults: readonly ContractViolation[], what: () => string) => {
    for (const { requirement, where, problem, found } of faults)
      report(requirement, `${what()}, ${where}`, problem, found)
  }
  const checkComponent = (component: string, value: unknown, fallback: RequirementId, what: () => string) => {
    observations.judged(fallback)
    reportAll(component === 'EventPage' ? eventPageFaults(value) : contractViolations(component, value, fallback), what)
  }
  const recorder: RuleRecorder = {
    checked: (requirement) => observations.judged(requirement),
    violated: (requirement, { what, expected, got }) => report(requirement, what, expected, got),
  }
  const checkEvent = (event: unknown, bodyRequirement: RequirementId, what: string) => {
    const held = [...requirementsOfEvent(event, bodyRequirement), 'EVT-001', 'EVT-002'] as const
    for (const requirement of held) observations.judged(requirement)
    reportAll(pushedEventFaults(event, bodyRequirement), () => what)
  }

  return {
    secret: (value) => secrets.add(value),
    delivery(attempt, secret) {
      checkSignature(attempt, secret)
      const event = attempt.json
      if (checkDeliveryBody(recorder, event, cut(attempt.text, 200))) checkEvent(event, 'DLV-002', 'body of a delivery')
    },
    frame(frame) {
      const { event, isText, text } = frame
      const body = isText ? event : undefined
      if (checkFrame(recorder, body, isText ? cut(text, 200) : 'a binary frame'))
        checkEvent(body, 'STR-003', 'frame of the stream')
    },
    exchange(exchange, operation) {
      const { status } = exchange
      if (status === undefined) return
      // Whatever else is wrong with it: what a create response calls a secret is one from then on.
      const secret = exchange.field('secret')
      if (operation === 'createWebhook' && typeof secret === 'string') {
        secrets.add(secret)
        keys.add(secret.slice(secretPrefix.length))
      } else checkSecrets(exchange)
      checkFault(exchange)
      if (status >= 500) return
      if (status >= 400) {
        const { label, json, excerpt } = exchange
        checkError(recorder, { status, label, body: json, text: excerpt })
        return
      }
      const expected = answers[operation]
      if (expected === undefined || status >= 300) return
      if (expected.each !== true) {
        checkComponent(expected.component, exchange.json, expected.requirement, () => `answer to ${exchange.label}`)
        return
      }
      for (const item of (itemsOf(exchange) ?? []).slice(0, maxItems))
        checkComponent(expected.component, item, expected.requirement, () => `item of ${exchange.label}`)
    },
  }

  /** A 5xx counts against the service only if the same request gets it each time: a gateway may answer one instead of it. */
  function checkFault({ request: { method, url }, status = 0, label, excerpt }: Exchange): void {
    observations.judged('ERR-003')
    const key = `${method} ${url}`
    const count = status >= 500 ? (faults.get(key) ?? 0) + 1 : 0
    faults.set(key, count)
    if (count === leastFaults) report('ERR-003', `answer to ${label}`, 'no 5xx', `${status} ${excerpt}`)
  }

  function checkSecrets(exchange: Exchange): void {
    observations.judged('WHK-013')
    for (const key of keys)
      if (key.length >= shortestKey && exchange.text.includes(key))
        report('WHK-013', `secret in the answer to ${exchange.label}`, 'nowhere', 'found')
  }

  function checkSignature(attempt: Attempt, secret: string): void {
    const { method, body } = attempt
    const values = (name: string) => attempt.headerLines(name)
    const headers = checkDeliveryHead(recorder, { method, values, bodyId: attempt.field('id') })
    if (headers === undefined) return
    observations.judged('SIG-004')
    const problem = signatureProblem(headers, body, secret)
    if (problem !== undefined) report('SIG-004', 'signature of a delivery', matchingEntry, problem)
  }
}
