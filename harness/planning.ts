// The entry for plans: the cases a run can run against a target, and the additions that would enable more.
export { findMissingOfCase } from './missing-capability.js'
export { estimateRun } from './estimate.js'
export { additionLines, verifiable, countVerifiableInPart, bestAdditions, type CoverageForecast } from './forecast.js'
export { capabilities, type Capability } from './service/control.js'
export type { ServiceNeed } from './service/needs.js'
export { plannedSources, forecastService } from './service/forecast.js'
export { readableMs } from './service/capability-sources.js'
export { bareTarget } from './service/target.js'
