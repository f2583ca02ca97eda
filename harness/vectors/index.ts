export { checkVectorFile, type VectorCheck, type VectorProblem } from './check.js'
export type { VectorFlagName } from './flags.js'
export { writeJson, writeNdjson, type GenerateOptions } from './generate.js'
export type { Vector, VectorDocument, VectorResult } from './vector.js'
