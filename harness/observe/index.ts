// The entry of traffic that is judged in passing.
export { nameOf } from './confidential.js'
export { judgeFiles } from './judge-files.js'
export { TrafficJudge } from './judge.js'
export type { Finding, JudgedTraffic } from './ledger.js'
export { markedPath, withoutMarked, type MarkedPath } from './marked.js'
export { captureFormat, headerOf, type HeaderList, type TrafficLine } from './record.js'
export { isDelivery, Recorder, type RawExchange } from './recorder.js'
export { trafficReport } from './report.js'
