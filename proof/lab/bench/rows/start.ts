import { atMost, contest, ratioOf, type Row } from '../figure.js'
import { runNode } from '../child.js'

const limit = 1.5

/** How long the command needs to print its version, compared with an empty Node program. */
export const start: Row = {
  name: 'start',
  title: '`conformance --version`',
  async run({ rounds }) {
    const wall = (words: readonly string[]) => async () => (await runNode(words)).wallMs
    const sides = await contest(
      {
        kit: wall(['bin/conformance.js', '--version']),
        help: wall(['bin/conformance.js', '--help']),
        bare: wall(['-e', '0']),
      },
      rounds * 3,
    )
    const yardstick = { name: '`node -e 0`', value: sides.bare }
    const ratio = ratioOf(sides.kit, sides.bare)
    return [
      {
        what: '`conformance --version`',
        unit: 'ms',
        value: sides.kit,
        yardstick,
        ratio,
        bar: atMost(limit, ratio, ' x'),
      },
      {
        what: '`conformance --help`',
        unit: 'ms',
        value: sides.help,
        yardstick,
        ratio: ratioOf(sides.help, sides.bare),
      },
    ]
  },
}
