// The entry for printed text: text without secrets, and without characters that a terminal or a page would obey. It loads no package.
export { listed, oneLine, shortened, visible } from './reporters/text.js'
export { Secrets } from './secrets.js'
