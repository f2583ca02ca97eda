export { checkVectorFile, type VectorCheck, type VectorProblem } from './check.js'
export { vectorFlags, type VectorFlagName } from './flags.js'
export { generateVectors, writeJson, writeNdjson, type GenerateOptions } from './generate.js'
export type { Vector, VectorDocument, VectorResult } from './vector.js'
