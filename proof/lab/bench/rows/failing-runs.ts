import { mutants } from '../../../mutants/index.js'
import { isFirst, timedRun } from '../../verdicts/timed-run.js'
import { atMost, ratioOf, sampleOf, scaled, type Figure, type Row } from '../figure.js'

const limits = { firstSeconds: 10, ofRight: 2, lines: 60 } as const

/** Mistakes over all kinds and areas: some fail first, some make cases wait for missing events. The first is the README's. */
const mistakes = [
  'server/first-retry-after-ten-seconds',
  'server/makes-random-ids',
  'server/sends-no-signature',
  'server/takes-only-200',
  'server/lists-nothing',
  'server/lists-every-org',
  'server/ignores-idempotency-keys',
  'server/replays-nothing',
  'server/falls-silent-on-a-stream',
  'server/delivers-nothing-of-a-batch',
  'server/unknown-ids-are-500',
  'receiver/reads-the-body-as-latin-1',
  'receiver/forgives-an-hour',
  'receiver/handles-every-copy',
  'sender/takes-redirects-for-success',
  'sender/signs-the-body-alone',
  'verifier/compares-a-prefix',
  'verifier/accepts-stale',
  'client/never-retries',
  'client/makes-a-key-for-each-attempt',
] as const

/** A failing run costs little more than a passing one, reports its first failure early, and begins its end with the broken sentence. */
export const failingRuns: Row = {
  name: 'failing-runs',
  title: 'full run on a reference with one of 20 mistakes, over all kinds',
  isLong: true,
  async run({ scale }) {
    const figures: Figure[] = []
    for (const id of mistakes.slice(0, scaled(mistakes.length, scale))) {
      const mutant = mutants.find((candidate) => candidate.id === id)
      if (mutant === undefined) throw new Error(`no mutant ${id}`)
      const right = await timedRun(id.replace(/\/.*/, '/none'))
      const wrong = await timedRun(id)
      const compared = (what: string, ofWrong: number, ofRight: number): Figure => {
        const value = sampleOf([ofWrong])
        const yardstick = { name: 'the run without the mistake, right before', value: sampleOf([ofRight]) }
        const ratio = ratioOf(value, yardstick.value)
        return { what: `${id}: ${what}`, unit: 's', value, yardstick, ratio, bar: atMost(limits.ofRight, ratio, ' x') }
      }
      const first = sampleOf([wrong.firstFailureSeconds])
      const lines = sampleOf([wrong.lines])
      figures.push(
        { ...compared('whole run', wrong.seconds, right.seconds), note: wrong.cases },
        compared('CPU time', wrong.cpuSeconds, right.cpuSeconds),
        {
          what: `${id}: first failure printed`,
          unit: 's',
          value: first,
          bar: atMost(limits.firstSeconds, first, ' s'),
        },
        {
          what: `${id}: lines after the progress`,
          unit: '',
          value: lines,
          bar: atMost(limits.lines, lines, ''),
          note: `${isFirst(mutant, wrong) ? 'the broken sentence first' : 'ANOTHER SENTENCE FIRST'}: ${wrong.firstCause?.text ?? 'no cause'}`,
        },
      )
    }
    return figures
  },
}
