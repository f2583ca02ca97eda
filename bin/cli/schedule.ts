import { UsageError } from './usage.js'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `--schedule 5s,5m,30m`: the delays before attempts 2, 3, 4, in milliseconds. */
export function scheduleOf(text: string): readonly number[] {
  return text.split(',').map((delay) => {
    const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(delay.trim()) ?? []
    const ms = Number(count) * (units[unit] ?? Number.NaN)
    if (!(ms >= 0) || ms > 0x7fffffff)
      throw new UsageError(`--schedule ${text}: expected delays such as 5s,5m,30m,2h (units ms, s, m, h, d)`)
    return ms
  })
}
