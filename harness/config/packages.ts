// Packages that only files need. Most runs have none, and loading these would cost a third of their start.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The package `yaml`. */
export const yaml = () => require('yaml') as typeof import('yaml')

/** What holds a value against a JSON Schema: `ajv` and `ajv-formats`. */
export const schemas = () => ({
  Ajv2020: (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020,
  formats: require('ajv-formats') as typeof import('ajv-formats'),
})
