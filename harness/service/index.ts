// The entry of services as targets.
export type { ServiceContext } from './context.js'
export { emptyCheckpoint, Checkpoint, type CheckpointRecord } from './shared-org/resume.js'
export { concurrency, connectService } from './subject.js'
export { accessOfControl, type ConfiguredInbox, type ServiceTarget, type Trigger } from './target.js'
