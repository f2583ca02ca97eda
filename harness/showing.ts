// The entry for what is shown: text without secrets, and without what a terminal or a page would obey. It loads no package.
export { escaped, oneLine, shortened, visible } from './reporters/text.js'
export { Secrets } from './secrets.js'
