import type { Patch } from '../patching/patch.js'

/** Bodies that were sent before are written in two pieces, six seconds apart, as on a bad line. */
export const writesRepeatsSlowly: Patch = {
  file: 'sender/index.ts',
  find: 'request.end(body)',
  replace: `const sentBodies = (ownState.sentBodies ??= new Set())
if (!sentBodies.has(body)) {
  sentBodies.add(body)
  return request.end(body)
}
request.write(body.slice(0, 20))
setTimeout(() => request.end(body.slice(20)), 6_000)`,
}
