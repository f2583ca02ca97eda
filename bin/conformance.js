#!/usr/bin/env node
// The command. It answers --version by itself, since that must cost no more than starting Node; all else is in dist/.
import { existsSync, readFileSync } from 'node:fs'

const [first = '', ...rest] = process.argv.slice(2)
// Until a command handles signals itself, an interrupted run ends with exit code 3, "no verdict". Other commands end by the signal.
if (['run', 'receiver', 'sender', 'verifier', 'client', 'observe', 'ui', 'selftest'].includes(first))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(3)
    })
if ((first === '--version' || first === '-V') && rest.length === 0) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  const main = new URL('../dist/bin/main.js', import.meta.url)
  if (existsSync(main)) await import(main.href)
  else {
    process.stderr.write('conformance: not built yet: run npm ci, or npm run build\n')
    process.exitCode = 2
  }
}
