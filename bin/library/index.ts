/**
 * The entry `webhook-conformance`: runs from a program of your own.
 *
 * @example
 * ```ts
 * import { judge } from 'webhook-conformance'
 * import { startReferenceServer } from 'webhook-conformance/reference'
 *
 * const server = await startReferenceServer()
 * const report = await judge('service', { baseUrl: server.url, apiKey: server.apiKey }, { suites: ['service/webhooks'] })
 * console.log(report.verdict)
 * await server.close()
 * ```
 *
 * @module
 */
export {
  runSuite,
  type Case,
  type CaseResult,
  type Report,
  type RequirementResult,
  type RunOptions,
  type Subject,
  type Verdict,
} from '../../harness/index.js'
export { judge, type JudgeOptions } from './judge.js'
export { observe, type ObserveOptions } from './observe.js'
export type { DriverAt, ReceiverAt, SenderAt, ServiceAt, Targets } from './targets.js'
export { connectClient } from '../../harness/client/index.js'
export {
  diagnose,
  readHeaders,
  readRequest,
  type Cause,
  type DiagnoseOptions,
  type Diagnosis,
  type RawRequest,
} from '../../harness/diagnose/index.js'
export { driverCommand, type DriverHandler } from '../../harness/driver/index.js'
export { connectReceiver, type ReceiverTarget } from '../../harness/receiver/index.js'
export { reporters } from '../../harness/reporters/index.js'
export { connectSender, type SenderProfile, type SenderTarget, type SenderTrigger } from '../../harness/sender/index.js'
export { connectService } from '../../harness/service/index.js'
export type { ServiceTarget } from '../../harness/service/index.js'
export { connectVerifier } from '../../harness/verifier/index.js'
export { openPoints, requirements, type RequirementId } from '../../spec/index.js'
export { clientCases } from '../../suites/client/index.js'
export { receiverCases } from '../../suites/receiver/index.js'
export { senderCases } from '../../suites/sender/index.js'
export { serviceCases } from '../../suites/service/index.js'
export { trafficCases } from '../../suites/traffic/index.js'
export { verifierCases } from '../../suites/verifier/index.js'
