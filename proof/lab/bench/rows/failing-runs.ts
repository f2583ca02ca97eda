import { runNode } from '../child.js'
import { atMost, ratioOf, sampleOf, scaled, type Row } from '../figure.js'

const limits = { firstSeconds: 10, ofRight: 2 } as const

/** Mistakes over all areas, one line of the table each: some fail first, some make cases wait for missing events. */
const mutants = [
  'first-retry-after-ten-seconds',
  'third-retry-after-fifteen-minutes',
  'counts-ids-down',
  'makes-random-ids',
  'follows-redirects',
  'sends-no-signature',
  'does-not-sign-the-id',
  'takes-only-200',
  'lists-nothing',
  'lists-oldest-first',
  'lists-every-org',
  'ends-the-list-early',
  'ignores-idempotency-keys',
  'replays-nothing',
  'replays-the-latest-event',
  'falls-silent-on-a-stream',
  'loses-events-at-the-hand-over',
  'delivers-nothing-of-a-batch',
  'retries-after-the-delete',
  'unknown-ids-are-500',
] as const

/** A failing run costs little more than a passing one, and reports its first failure early. */
export const failingRuns: Row = {
  name: 'failing-runs',
  title: 'full service run on the reference with one of 20 mistakes',
  isLong: true,
  async run({ scale }) {
    const figures = []
    for (const mutant of mutants.slice(0, scaled(mutants.length, scale))) {
      const right = await timedRun([])
      const wrong = await timedRun(['--mutant', `server/${mutant}`])
      const ofRight = ratioOf(sampleOf([wrong.seconds]), sampleOf([right.seconds]))
      const first = sampleOf([wrong.firstFailureSeconds])
      figures.push(
        {
          what: `${mutant}: whole run`,
          unit: 's',
          value: sampleOf([wrong.seconds]),
          yardstick: { name: 'the run without the mistake, right before', value: sampleOf([right.seconds]) },
          ratio: ofRight,
          bar: atMost(limits.ofRight, ofRight, ' x'),
          note: wrong.cases,
        },
        {
          what: `${mutant}: first failure printed`,
          unit: 's',
          value: first,
          bar: atMost(limits.firstSeconds, first, ' s'),
        },
      )
    }
    return figures
  },
}

async function timedRun(words: readonly string[]) {
  const began = performance.now()
  let firstFailureSeconds = Number.NaN
  const onOutput = (text: string): void => {
    if (Number.isNaN(firstFailureSeconds) && /^(?:failed|unsure) /m.test(text))
      firstFailureSeconds = (performance.now() - began) / 1000
  }
  const { wallMs, output } = await runNode(['bin/conformance.js', 'run', '--reference', ...words], {
    acceptsFailure: true,
    onOutput,
  })
  return { seconds: wallMs / 1000, firstFailureSeconds, cases: /^Cases +(.*)$/m.exec(output)?.[1] ?? '' }
}
