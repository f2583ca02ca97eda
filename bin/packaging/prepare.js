// npm runs this after an install, and before `npx` or a pack too, which reuse an existing build.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const isInstall = !['exec', 'pack', 'publish'].includes(process.env.npm_command ?? '')
if (isInstall || !existsSync(join(import.meta.dirname, '../../dist/bin/main.js'))) await import('./build.js')
