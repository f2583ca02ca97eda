/**
 * The entry `webhook-conformance/authoring`: cases of your own. The suites use it, and nothing else of the harness.
 *
 * @example
 * ```ts
 * import { serviceCase } from 'webhook-conformance/authoring'
 *
 * export const createsWith201 = serviceCase({
 *   id: 'service/webhooks/creates-with-201',
 *   requirements: ['WHK-001'],
 *   level: 'must',
 *   title: 'a webhook is created with 201',
 *   async run({ openSandbox, check, publicUrl }) {
 *     const { project } = await openSandbox()
 *     check.status(await project.api.createWebhook({ url: publicUrl() }), [201])
 *   },
 * })
 * ```
 *
 * @module
 */
import { caseDefiner, type Case } from './case.js'
import type { ClientContext, ClientNeed } from './client/context.js'
import type { ReceiverContext, ReceiverNeed } from './receiver/context.js'
import type { SenderContext, SenderNeed } from './sender/context.js'
import type { ServiceContext } from './service/context.js'
import type { ServiceNeed } from './service/needs.js'
import type { VerifierContext, VerifierNeed } from './verifier/context.js'

const defineServiceCase = caseDefiner<'service', ServiceContext, ServiceNeed>('service')

/** Defines a case for services. One that names no need still needs an org to play in. */
export const serviceCase: typeof defineServiceCase = (definition) =>
  defineServiceCase(definition.phase === 'last' ? definition : { ...definition, needs: definition.needs ?? ['org'] })
export type ServiceCase = Case<ServiceContext>

/** Defines a case for webhook receivers. */
export const receiverCase = caseDefiner<'receiver', ReceiverContext, ReceiverNeed>('receiver')
export type ReceiverCase = Case<ReceiverContext>

/** Defines a case for signature verification libraries. */
export const verifierCase = caseDefiner<'verifier', VerifierContext, VerifierNeed>('verifier')
export type VerifierCase = Case<VerifierContext>

/** Defines a case for client libraries. */
export const clientCase = caseDefiner<'client', ClientContext, ClientNeed>('client')
export type ClientCase = Case<ClientContext>

/** Defines a case for senders of webhooks. */
export const senderCase = caseDefiner<'sender', SenderContext, SenderNeed>('sender')
export type SenderCase = Case<SenderContext>

export type { OwnCases } from './own-cases.js'
export type { OwnRequirement, OwnRequirementId } from '../spec/index.js'
export type { SenderContext, SeenAttempt, SentEvent } from './sender/context.js'
export type { Delivery, DeliveryFields } from './receiver/delivery.js'
export type { ReceiverContext } from './receiver/context.js'
export type { Handshake } from './receiver/handshakes.js'
export type { VerifierContext, VerifierVerdict, VerifyRequest } from './verifier/context.js'
export type { CallResult, ClientContext, ClientHandle, ReceivedRequest, Reply } from './client/context.js'
export { json, refusal } from './client/reply.js'
export { attemptRequirement, delaysBefore, latestAfter } from './attempt-requirements.js'
export { AnswerLost, CaseErrored, show, TooBusy, type Checks, type Require } from './check.js'
export type { Decision } from './result.js'
export { LoopWatch } from './loop-watch.js'
export type { ServiceContext } from './service/context.js'
export type { ServiceNeed } from './service/needs.js'
export type { Api, RawRequest } from './service/api.js'
export { admits, findExclusion, type Limits, type ExpectedEvent } from './service/event-limits.js'
export type { RaisedEvent } from './service/raise.js'
export type { Inbox, Project, StreamRequest } from './service/project.js'
export type { WebhookOptions } from './service/create-webhook.js'
export type { Sandbox } from './service/sandbox.js'
export type { Webhook } from './service/webhook.js'
export type { Ending, RetryWatch, RecordedAnswer } from './service/retry-watch.js'
export { isConnectionLimit, type Stream, type StreamFrame, type StreamOpening } from './service/stream.js'
export {
  cursorOf,
  deliveryOf,
  errorOf,
  instantOf,
  itemsOf,
  mentions,
  type DeliveryItem,
} from './service/answer-readers.js'
export { nextPageOf, hasMorePages } from './service/list-pages.js'
export { mayBeOfGateway } from './service/persistence.js'
export { ofGateways, requirementOfType } from './service/rules.js'
export { sampleData } from './service/sample-data.js'
export { redirect, status, type Answer } from './sink/answer.js'
export type { Attempt } from './sink/attempt.js'
export type { SchemeFeature, SignatureScheme } from './schemes/scheme.js'
export { memberOf, type Exchange } from './wire/exchange.js'
export { collidingWith } from './wire/colliding.js'
export { asText } from './wire/json.js'
export { percentDecoded } from './wire/percent.js'
export { hmac, keyOf, macOf, macsOfOtherHashes, newSecret, sign } from './wire/signing.js'
export { expectedSignature, matchingEntry, signatureProblem } from './diagnose/signature-problem.js'
export type { TrafficCase } from './observe/report.js'
