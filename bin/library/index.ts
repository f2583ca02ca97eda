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
export type { Case } from '../../harness/case.js'
export { judge, type JudgeOptions } from './judge.js'
export { observe, type ObserveOptions } from './observe.js'
export type { DriverAt, ReceiverAt, SenderAt, ServiceAt, Targets } from './targets.js'
export { reporters } from '../../harness/reporters/index.js'
export {
  diagnose,
  readHeaders,
  readRequest,
  type Cause,
  type Diagnosis,
  type DiagnoseOptions,
  type RawRequest,
} from '../../harness/diagnose/index.js'
export { connectClient } from '../../harness/client/subject.js'
export type { DriverHandler } from '../../harness/driver/in-process.js'
export { driverCommand } from '../../harness/driver/process.js'
export { connectReceiver, type ReceiverTarget } from '../../harness/receiver/subject.js'
export type { CaseResult, Report, RequirementResult, Verdict } from '../../harness/result.js'
export { runSuite, type RunOptions } from '../../harness/run.js'
export { connectSender } from '../../harness/sender/subject.js'
export type { SenderProfile, SenderTarget, SenderTrigger } from '../../harness/sender/target.js'
export { connectService } from '../../harness/service/subject.js'
export type { ServiceTarget } from '../../harness/service/target.js'
export type { Subject } from '../../harness/subject.js'
export { connectVerifier } from '../../harness/verifier/subject.js'
export { openPoints, requirements, type RequirementId } from '../../spec/index.js'
export { clientCases } from '../../suites/client/index.js'
export { receiverCases } from '../../suites/receiver/index.js'
export { senderCases } from '../../suites/sender/index.js'
export { serviceCases } from '../../suites/service/index.js'
export { trafficCases } from '../../suites/traffic/index.js'
export { verifierCases } from '../../suites/verifier/index.js'
