import { retryDelaysMs, answerTimeMs } from '../../../../spec/index.js'
import { atMost, sampleOf, type Row } from '../figure.js'
import { runNode, startHost } from '../child.js'
import type { ReferenceFacts } from '../hosts/reference.js'

/** Beyond the delay and the answer time that must pass. */
const allowanceMs = 3_000

/** The same run where the clock cannot be moved: the second attempt is waited for, and the answer time. */
export const realTime: Row = {
  name: 'real-time',
  title: 'the same in real time, retry depth 2',
  async run({ scale }) {
    const host = await startHost<ReferenceFacts>('reference', { without: ['clock'] })
    try {
      const { url, apiKey, controlUrl, controlKey } = host.facts
      const words = [
        'bin/conformance.js',
        'run',
        '--quiet',
        '--retry-depth',
        '2',
        '--base-url',
        url,
        '--api-key',
        apiKey,
      ]
      const part = scale < 1 ? ['--suite', 'service/errors'] : []
      const ended = await runNode([...words, '--control-url', controlUrl, '--control-key', controlKey, ...part])
      const value = sampleOf([ended.wallMs / 1000])
      const limit = ((retryDelaysMs[1] ?? 0) + answerTimeMs + allowanceMs) / 1000
      const cases = /Cases +(.*)/.exec(ended.output)?.[1] ?? ''
      return [{ what: 'wall time, one run', unit: 's', value, bar: atMost(limit, value, ' s'), note: cases }]
    } finally {
      await host.close()
    }
  },
}
