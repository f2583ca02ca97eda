// The entry for signature schemes. Only `readScheme` loads packages, when it is called.
export { checkSecret, SecretProblem } from './key.js'
export { schemeOfHeaders } from './of-headers.js'
export { readScheme } from './read.js'
export { ownScheme, SignatureScheme } from './scheme.js'
export { exampleOf } from './example.js'
