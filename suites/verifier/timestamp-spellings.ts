// VFY-006  "A delivery whose timestamp is more than 300 seconds in the past is rejected; 300 seconds are accepted."
// VFY-023  "The timestamp is the text that was signed: another spelling of the same number of seconds is refused."
//
// Reading: another spelling of the signed timestamp lets no attacker forge or replay a delivery, so refusing it is advice. A spelling that
// makes a stale delivery look fresh is a replay, and is refused.

import fc from 'fast-check'
import { verifierCase } from '../../harness/authoring.js'
import { accepts, delivery, refuses, testClock, withHeaders } from './deliveries.js'

/** Random spellings as well as the known ones. */
const draws = 30

/** Spellings of the signed number of seconds, each tried in every run; blanks around it are HTTP's own business. */
const knownOtherTimestamps: readonly ((seconds: number) => string)[] = [
  (seconds) => `+${seconds}`,
  (seconds) => `-${seconds}`,
  (seconds) => `${seconds}.`,
  (seconds) => `${seconds}.0`,
  (seconds) => `${seconds}.5`,
  (seconds) => `0${seconds}`,
  (seconds) => `${seconds}e0`,
  (seconds) => `${seconds / 1e9}e9`,
  (seconds) => `0x${seconds.toString(16)}`,
  (seconds) => `0b${seconds.toString(2)}`,
  (seconds) => `0o${seconds.toString(8)}`,
  (seconds) => `1_${String(seconds).slice(1)}`,
  (seconds) => `1,${String(seconds).slice(1)}`,
  (seconds) => `${seconds}n`,
  (seconds) => `${seconds};x`,
  (seconds) => `${seconds}, ${seconds}`,
  (seconds) => `${String(seconds).slice(0, 5)} ${String(seconds).slice(5)}`,
  (seconds) => new Date(seconds * 1000).toISOString(),
  (seconds) => `"${seconds}"`,
  (seconds) => `[${seconds}]`,
]

const otherTimestamps: fc.Arbitrary<(seconds: number) => string> = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map((zeros) => (seconds: number) => '0'.repeat(zeros) + String(seconds)),
  fc.stringMatching(/^[0-9]{1,6}$/).map((digits) => (seconds: number) => `${seconds}.${digits}`),
  fc.stringMatching(/^[A-Za-z,;:+_ -][!-~]{0,8}$/).map((text) => (seconds: number) => `${seconds}${text}x`),
)

/** A signed timestamp that is stale, with a fresh one that was not signed: who reads one and signs the other accepts a replay. */
const freshened: readonly ((stale: string, fresh: string) => string)[] = [',', ', ', ' ', ';', '.'].flatMap(
  (separator) => [(stale, fresh) => `${stale}${separator}${fresh}`, (stale, fresh) => `${fresh}${separator}${stale}`],
)

export const timestampSpellings = [
  verifierCase({
    id: 'verifier/spellings/refuses-any-other-spelling-of-the-signed-timestamp',
    requirements: ['VFY-023'],
    level: 'should',
    title: 'another spelling of the signed number of seconds is refused',
    async run({ property, verify, unique }) {
      await property(
        otherTimestamps,
        async (spell, require) => {
          const good = delivery(unique())
          const timestamp = spell(testClock)
          await accepts({ verify, check: require }, good)
          await refuses(
            { verify, check: require },
            withHeaders(good, { 'webhook-timestamp': timestamp }),
            `the timestamp ${JSON.stringify(timestamp)}, ${testClock} signed`,
          )
        },
        { runs: knownOtherTimestamps.length + draws, examples: knownOtherTimestamps },
      )
    },
  }),

  verifierCase({
    id: 'verifier/spellings/refuses-a-stale-timestamp-beside-a-fresh-one',
    requirements: ['VFY-006'],
    level: 'must',
    title: 'a stale delivery is refused when the present time is added to its timestamp',
    async run({ verify, check, unique }) {
      const stale = testClock - 3_600
      for (const join of freshened) {
        const good = delivery(unique(), { timestamp: stale })
        await accepts({ verify, check }, { ...good, now: stale })
        const timestamp = join(String(stale), String(testClock))
        const replayed = withHeaders(good, { 'webhook-timestamp': timestamp })
        await refuses({ verify, check }, replayed, `the timestamp ${JSON.stringify(timestamp)}, ${stale} signed`)
      }
    },
  }),
]
