import type { RequirementId } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import type { contractViolations, eventComponent } from './contract-check.js'
import type { Api } from './api.js'
import type { ControlledName } from './names.js'
import type { Scene } from './scene.js'
import type { Sighting } from './watch.js'

export interface SceneRequest {
  /** Projects of the workspace, 1 by default; more need `projects`. */
  readonly projects?: number
  /** Inboxes of each project, 2 by default. */
  readonly inboxes?: number
}

/** What a service case is handed. */
export interface ServiceContext extends CaseTools {
  /** Base URL of the target, without `/v1`. */
  readonly baseUrl: string
  /** A place to play in: a fresh workspace, or the configured org. */
  scene(request?: SceneRequest): Promise<Scene>
  /** The API without a key, outside any scene. */
  anonymous(): Api
  /** A host name whose answers the case sets; needs `dns`. */
  name(): Promise<ControlledName>
  /** The loopback address beside the sink's, and how many connections for a name reached it; needs `canary`. */
  readonly canary: { readonly address: string; connections(name: string): Promise<number> }
  /** The address of the sink, as a resolver would answer it. */
  readonly sinkAddress: string
  /** An allowed address at the sink's port at which nothing listens; only with the power `canary`. */
  readonly deadAddress: string
  /** The OpenAPI document as validators. */
  readonly contract: { readonly violations: typeof contractViolations; readonly eventComponent: typeof eventComponent }
  /** What the always-on checks saw in the whole run so far. */
  observed(requirement: RequirementId): { readonly count: number; readonly sightings: readonly Sighting[] }
}
