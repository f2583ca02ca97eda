// Loaded for the schemes that need it alone: it is a third of the script.
export { ed25519 } from '@noble/curves/ed25519.js'
