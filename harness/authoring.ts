// The only door for suites.
import { caseDefiner, type Case } from './case.js'
import type { ServiceContext } from './service/context.js'
import type { ServiceNeed } from './service/needs.js'

/** Defines a case for services. */
export const serviceCase = caseDefiner<'service', ServiceContext, ServiceNeed>('service')
export type ServiceCase = Case<ServiceContext>

export { timingMark } from './engine.js'
export { CaseErrored, show, type Checks } from './check.js'
export type { ServiceContext } from './service/context.js'
export type { ServiceNeed } from './service/needs.js'
export type { Api, RawRequest } from './service/api.js'
export type { RaisedEvent } from './service/raise.js'
export type { Hook, HookOptions, Inbox, Project, Scene } from './service/scene.js'
export type { Stream, StreamFrame } from './service/stream.js'
export { deliveryOf, errorOf, instantOf, itemsOf, mentions, type DeliveryItem } from './service/read.js'
export { sampleData } from './service/sample-data.js'
export { redirect, status, type Answer } from './sink/answer.js'
export type { Attempt } from './sink/attempt.js'
export { memberOf, type Exchange } from './wire/exchange.js'
export { keyOf, macOf, newSecret, sign, signatureProblem } from './wire/signing.js'
