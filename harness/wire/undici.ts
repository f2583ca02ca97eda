import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns the library. It is loaded at the first use: loading it takes a third of the start of a command that sends nothing. */
export function loadUndici(): typeof import('undici') {
  return require('undici') as typeof import('undici')
}
