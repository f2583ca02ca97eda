import { counted } from '../counted.js'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats an age in seconds; from two minutes on in larger units, with the exact figure: `331 days 21 hours (28675054 seconds)`. */
export function ageText(seconds: number): string {
  const exact = counted(seconds, 'second')
  const first = units.findIndex(([, length]) => seconds >= 2 * length || length === 1)
  if (units[first]?.[0] === 'second') return exact
  let left = seconds
  const words = units.slice(first, first + 2).map(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? '' : counted(count, unit)
  })
  return `${words.filter(Boolean).join(' ')} (${exact})`
}
