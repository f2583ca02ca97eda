export { diagnoseByScheme, readDelivery } from './by-scheme.js'
export { diagnose, type DiagnoseOptions, type Diagnosis } from './diagnose.js'
export type { Cause, CauseId } from './finding.js'
export { readHeaders, readRequest, UnreadableRequest, type RawRequest } from './request.js'
