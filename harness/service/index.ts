// The entry of services as targets.
export type { ServiceContext } from './context.js'
export { emptyCheckpoint, Checkpoint, type CheckpointRecord } from './shared-org/resume.js'
export { accessOfControl, concurrency, connectService } from './subject.js'
export type { ConfiguredInbox, ServiceTarget, Trigger } from './target.js'
