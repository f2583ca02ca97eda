// Runs npm scripts concurrently: `node bin/packaging/parallel.js lint words`. Prints one line for a script that passes, its whole
// output for one that fails, and exits with 1 if any failed.
import { spawn } from 'node:child_process'

function runScript(name) {
  const startedAt = Date.now()
  return new Promise((done) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)))
    child.once('close', (code) => {
      const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1)
      if (code !== 0) process.stdout.write(Buffer.concat(chunks))
      process.stdout.write(`${code === 0 ? 'passed' : 'failed'}  ${name}  ${seconds} s\n`)
      done(code === 0)
    })
  })
}

const names = process.argv.slice(2)
if (names.length === 0) throw new Error('parallel.js: name the npm scripts to run')
const results = await Promise.all(names.map(runScript))
if (results.includes(false)) process.exitCode = 1
