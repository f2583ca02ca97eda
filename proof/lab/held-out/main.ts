// `npm run lab -- held-out [pattern]`: counts the held-out mistakes that the suite finds. They are not part of the selftest.
import picomatch from 'picomatch'
import { installLoopbackGuard } from '../../../harness/loopback.js'
import { heldOutOfClient, heldOutOfReceiver, heldOutOfServer, type AnyMutant } from '../../held-out/index.js'
import { writeOutput } from '../../../bin/cli/output.js'
import { withMutant } from '../../../bin/reference/deviations.js'
import type { StartedSubject } from '../selftest/started-subject.js'
import { startClient, startReceiver, startService } from '../selftest/trials.js'

interface HeldOutBug {
  readonly mutant: AnyMutant
  readonly start: () => Promise<StartedSubject>
}

const seed = 1

const bugs: readonly HeldOutBug[] = [
  ...heldOutOfServer.map((mutant) => ({
    mutant,
    start: async () => startService(await withMutant('server', mutant), seed),
  })),
  ...heldOutOfReceiver.map((mutant) => ({
    mutant,
    start: async () => startReceiver(await withMutant('receiver', mutant), seed, { reportsHandled: true }),
  })),
  ...heldOutOfClient.map((mutant) => ({
    mutant,
    start: async () => startClient(await withMutant('client', mutant), seed),
  })),
]

/** Returns the first case that fails, with the requirements it violates, if any. */
async function detect({ start }: HeldOutBug): Promise<string | undefined> {
  const subject = await start()
  const stop = new AbortController()
  let detection: string | undefined
  try {
    await subject.runCases(
      subject.catalogue.map(({ id }) => id),
      {
        signal: stop.signal,
        onCaseEnd: ({ id, status, violates }) => {
          if (status !== 'failed' || detection !== undefined) return
          detection = `${id} (${violates?.join(', ') ?? ''})`
          stop.abort()
        },
      },
    )
  } finally {
    await subject.close()
  }
  return detection
}

installLoopbackGuard()
const isChosen = picomatch(process.argv.length > 2 ? process.argv.slice(2) : ['**'])
const chosen = bugs.filter(({ mutant }) => isChosen(mutant.id))
let detected = 0
for (const bug of chosen) {
  const detection = await detect(bug)
  if (detection !== undefined) detected++
  writeOutput(
    `${detection === undefined ? 'MISSED   ' : 'DETECTED '}  ${bug.mutant.id}  ${detection ?? bug.mutant.title}\n`,
  )
}
writeOutput(`${detected} of ${chosen.length} detected\n`)
process.exit(0)
