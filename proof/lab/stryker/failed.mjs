// Lets the command judge a mutant: exit code 1 when the target failed, else 0, so that a run without a verdict (exit code 3) kills nothing.
// Without a mutant the exit code is that of the command. The arguments are a command and its own: `node failed.mjs run --reference`.
//
// The result of each mutant is in reports/stryker/met-<command>.ndjson of the project.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

const mutant = process.env['__STRYKER_ACTIVE_MUTANT__']
const [command, ...rest] = process.argv.slice(2)
const reportFile = `report-${process.pid}.json`
const common = ['--level', 'must', '--bail', '--quiet', '--seed', '1', '--reporter', `json=${reportFile}`]

const child = spawn(process.execPath, ['bin/conformance.js', command, ...common, ...rest], { stdio: 'inherit' })
const code = await new Promise((resolve) => child.once('close', resolve))
const results = resultsOfReport()

if (mutant === undefined) process.exitCode = code ?? 9
else {
  const idsOf = (status) => results.filter((result) => result.status === status).map(({ id }) => id)
  const failed = idsOf('failed')
  process.exitCode = code === 1 && failed.length > 0 ? 1 : 0
  const folder = '../../reports/stryker'
  mkdirSync(folder, { recursive: true })
  const met = { mutant, code, failed, errored: idsOf('errored'), skipped: code === 0 ? idsOf('skipped') : [] }
  appendFileSync(`${folder}/met-${command}.ndjson`, `${JSON.stringify(met)}\n`)
}

function resultsOfReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8')).cases
  } catch {
    return []
  } finally {
    rmSync(reportFile, { force: true })
  }
}
