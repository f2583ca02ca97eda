// The entry for commands that call a service themselves, without cases.
export { CaseErrored } from './check.js'
export { runMark, runMarkForm } from './run-mark.js'
export { Api } from './service/api.js'
export { Control } from './service/control.js'
export { checkService } from './service/check-service.js'
export { refuseRefusedKey } from './service/key-check.js'
export { findMarked, findUnmarked, type Found, type Listed } from './service/leftovers.js'
export { OrgCursor } from './service/org-cursor.js'
export { EventMissing, triggerRaiser } from './service/raise.js'
export { addressesOfUrl } from './service/service-address.js'
export { errorOf } from './service/answer-readers.js'
export {
  isUsableId,
  removeResource,
  type CreatedResource,
  type Intent,
  type Journal,
  type Removal,
} from './service/shared-org/created-resources.js'
export { sinkRefusal } from './service/sink-welcome.js'
export { defaultPublicHost, defaultRecipient } from './service/target.js'
export type { Access } from './wire/access.js'
export { cut } from './wire/cut.js'
export { Evidence } from './wire/evidence.js'
export type { Exchange } from './wire/exchange.js'
export { HttpClient } from './wire/http-client.js'
