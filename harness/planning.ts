// The entry for plans: the cases a run can run against a target, and the additions that would enable more.
export { lackOfCase } from './lack.js'
export { additionLines, askable, askableInPart, bestAdditions, type Outlook } from './outlook.js'
export { capabilities, type Capability } from './service/control.js'
export type { ServiceNeed } from './service/needs.js'
export { plannedSources, serviceOutlook } from './service/outlook.js'
export { readableMs } from './service/powers.js'
export { bareTarget } from './service/target.js'
