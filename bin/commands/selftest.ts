import picomatch from 'picomatch'
import pLimit from 'p-limit'
import { installLoopbackGuard } from '../../harness/loopback.js'
import { catalogue, subjectKind } from '../catalogue.js'
import { runTrials, type TrialResult } from '../selftest/matrix.js'
import { mutantTrials, variantTrials } from '../selftest/trials.js'
import { exitCodes, UsageError, wholeNumber } from '../usage.js'

/** Mutants and variants side by side. */
const atOnce = { mutants: 6, variants: 2 }

/** `conformance selftest`: every mutant killed by a case of a requirement it names, no variant convicted, no case without a kill. */
export async function selftest(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const kind = subjectKind(flags['subject'])
  const format = String(flags['format'])
  if (format !== 'text' && format !== 'json') throw new UsageError(`--format ${format}: expected text or json`)
  const seed = wholeNumber('--seed', String(flags['seed']), -0x80000000, 0xffffffff)
  const every = flags['sample'] === undefined ? 1 : wholeNumber('--sample', String(flags['sample']), 1)
  const patterns = Array.isArray(flags['mutant']) ? flags['mutant'].map(String) : []
  installLoopbackGuard()
  const isWanted = patterns.length === 0 ? () => true : picomatch(patterns)
  const mutants = mutantTrials(seed).filter(
    (each, index) => (kind === undefined || each.kind === kind) && isWanted(each.id) && index % every === 0,
  )
  if (mutants.length === 0) throw new UsageError(`--mutant ${patterns.join(', ')}: matches no mutant`)
  const isWhole = every === 1 && patterns.length === 0
  const startedAt = performance.now()
  const say = (line: string) => (format === 'text' ? process.stdout.write(`${line}\n`) : true)

  const results = await runTrials(mutants, atOnce.mutants, (result) => {
    if (result.verdict !== 'killed')
      say(`${result.verdict.toUpperCase()}  ${result.id}  breaks ${result.breaks.join(' ')}: ${result.title}`)
  })
  const variants = isWhole ? variantTrials(seed).filter((each) => kind === undefined || each.kind === kind) : []
  const convicted: { id: string; cases: string[] }[] = []
  await pLimit(atOnce.variants).map(variants, async (variant) => {
    const report = await variant.run()
    const bad = report.cases.filter((each) => each.status === 'failed' || each.status === 'errored')
    if (bad.length === 0) return
    convicted.push({ id: variant.id, cases: bad.map((each) => `${each.id}: ${each.message ?? each.reason ?? ''}`) })
    say(
      `CONVICTED  ${variant.id}\n  ${bad.map((each) => `${each.id}: ${each.message ?? each.reason ?? ''}`).join('\n  ')}`,
    )
  })
  const idle = isWhole ? idleCases(results, kind) : []
  for (const id of idle) say(`NO KILL  ${id}`)
  const killed = results.filter((each) => each.verdict === 'killed').length
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  if (format === 'json')
    process.stdout.write(
      `${JSON.stringify({ seed, seconds: Number(seconds), mutants: results, convicted, casesWithoutKill: idle }, null, 2)}\n`,
    )
  say(
    `${killed} of ${results.length} mutants killed, ${convicted.length} of ${variants.length} variants convicted, ${idle.length} cases without a kill (${seconds} s)`,
  )
  return killed === results.length && convicted.length === 0 && idle.length === 0
    ? exitCodes.conformant
    : exitCodes.nonconformant
}

/** Cases of level must that failed no mutant. Vectors are data: one kill of their kind speaks for all. */
function idleCases(results: readonly TrialResult[], kind: string | undefined): string[] {
  const killers = new Set(results.flatMap((each) => each.killedBy))
  return catalogue
    .filter(
      (each) =>
        (kind === undefined || each.subject === kind) &&
        each.level === 'must' &&
        !each.id.startsWith('verifier/vectors/'),
    )
    .map((each) => each.id)
    .filter((id) => !killers.has(id))
}
