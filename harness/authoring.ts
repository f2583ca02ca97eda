// The only door for suites.
import { caseDefiner, type Case } from './case.js'
import type { ClientContext, ClientNeed } from './client/context.js'
import type { ReceiverContext, ReceiverNeed } from './receiver/context.js'
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

export type { Delivery, DeliveryFields } from './receiver/delivery.js'
export type { ReceiverContext } from './receiver/context.js'
export type { VerifierContext, VerifierVerdict, VerifyRequest } from './verifier/context.js'
export type { CallResult, ClientContext, ClientHandle, Heard, Reply } from './client/context.js'
export { json, refusal } from './client/reply.js'
export { CaseErrored, show, timingMark, type Checks } from './check.js'
export { LoopWatch } from './loop-watch.js'
export type { ServiceContext } from './service/context.js'
export type { ServiceNeed } from './service/needs.js'
export type { Api, RawRequest } from './service/api.js'
export type { RaisedEvent } from './service/raise.js'
export type { Hook, HookOptions, Inbox, Project, Scene } from './service/scene.js'
export type { Stream, StreamFrame, StreamOpening } from './service/stream.js'
export { deliveryOf, errorOf, instantOf, itemsOf, mentions, type DeliveryItem } from './service/read.js'
export { sampleData } from './service/sample-data.js'
export { redirect, status, type Answer } from './sink/answer.js'
export type { Attempt } from './sink/attempt.js'
export { memberOf, type Exchange } from './wire/exchange.js'
export { hmac, keyOf, macOf, newSecret, sign, signatureProblem } from './wire/signing.js'
