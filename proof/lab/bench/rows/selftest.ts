import { readFileSync } from 'node:fs'
import { atMost, ratioOf, sampleOf, type Row } from '../figure.js'
import { runNode } from '../child.js'

const limitOfTrial = 5

/** The whole proof: every mutant, every variant, the independent services. One run, compared with the start of as many processes. */
export const selftest: Row = {
  name: 'selftest',
  title: 'selftest, all mutants and variants',
  isLong: true,
  async run({ scale }) {
    const part = scale < 1 ? ['--subject', 'verifier', '--sample', '20'] : []
    const before = cpuMsOfChildren()
    const ended = await runNode(['bin/conformance.js', 'selftest', ...part], { acceptsFailure: true })
    const cpuMs = cpuMsOfChildren() - before
    const note = ended.output.trim().split('\n').at(-1) ?? ''
    const [, mutants = 'NaN', conforming = '0'] = /of (\d+) mutants killed, \d+ of (\d+)/.exec(note) ?? []
    const trials = Number(mutants) + Number(conforming)
    const start = await runNode(['-e', '0'], { measuresUse: true })
    const [aTrial, aStart] = [sampleOf([cpuMs / trials]), sampleOf([start.cpuMs])]
    const ratio = ratioOf(aTrial, aStart)
    return [
      { what: 'wall time, one run', unit: 's', value: sampleOf([ended.wallMs / 1000]), note },
      {
        what: 'CPU time a trial, at the mean',
        unit: 'ms',
        value: aTrial,
        yardstick: { name: '`node -e 0`', value: aStart },
        ratio,
        bar: atMost(limitOfTrial, ratio, ' x'),
      },
    ]
  },
}

const msPerTick = 10

/** Returns the CPU time of ended child processes, with theirs; NaN on systems without it. */
function cpuMsOfChildren(): number {
  try {
    const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(afterName[13]) + Number(afterName[14])) * msPerTick
  } catch {
    return Number.NaN
  }
}
