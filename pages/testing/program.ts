import { join } from 'node:path'

/** The program, as it is built. */
export const program = join(import.meta.dirname, '../../bin/conformance.js')
