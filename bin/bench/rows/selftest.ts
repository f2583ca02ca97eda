import { atMost, sampleOf, type Row } from '../figure.js'
import { runNode } from '../child.js'

const limitSeconds = 90

/** The whole proof: every mutant, every variant. One run. */
export const selftest: Row = {
  name: 'selftest',
  title: 'selftest, all mutants and variants',
  async run({ scale }) {
    const part = scale < 1 ? ['--subject', 'verifier', '--sample', '20'] : []
    const ended = await runNode(['bin/conformance.js', 'selftest', ...part], { acceptsFailure: true })
    const value = sampleOf([ended.wallMs / 1000])
    const note = ended.output.trim().split('\n').at(-1) ?? ''
    return [{ what: 'wall time, one run', unit: 's', value, bar: atMost(limitSeconds, value, ' s'), note }]
  },
}
