// How libraries write a date that they have read from JSON.
import type { JsonNode } from './json-text.js'

/** One way to write the dates of a document. */
interface DateStyle {
  readonly name: string
  readonly weight: number
  readonly write: (parts: DateParts) => string
}

interface DateParts {
  readonly date: string
  readonly separator: string
  readonly time: string
  /** Digits of the fraction, maybe none. */
  readonly fraction: string
  readonly zone: string
}

interface Form {
  readonly name: string
  readonly change: (parts: DateParts) => DateParts
}

const asItIs: Form = { name: '', change: (parts) => parts }

const fractions: readonly Form[] = [
  asItIs,
  ...[3, 6, 7, 9].map((digits) => ({
    name: `${digits} digits after the second`,
    change: (parts: DateParts) => ({ ...parts, fraction: parts.fraction.slice(0, digits).padEnd(digits, '0') }),
  })),
  {
    name: 'no zeros at the end of a second',
    change: (parts) => ({ ...parts, fraction: parts.fraction.replace(/0+$/, '') }),
  },
]

const zones: readonly Form[] = [
  asItIs,
  ...['Z', '+00:00', '+0000', ''].map((zone) => ({
    name: zone === '' ? 'no zone' : `the zone ${zone}`,
    change: (parts: DateParts) => (/^(?:Z|[+-]00:?00|)$/.test(parts.zone) ? { ...parts, zone } : parts),
  })),
]

const separators: readonly Form[] = [
  asItIs,
  ...['T', ' '].map((separator) => ({
    name: `${JSON.stringify(separator)} before the time`,
    change: (parts: DateParts) => ({ ...parts, separator }),
  })),
]

/** Every choice of a fraction, a zone and a separator but the unchanged one. */
export const dateStyles: readonly DateStyle[] = fractions
  .flatMap((fraction) => zones.flatMap((zone) => separators.map((separator) => [fraction, zone, separator] as const)))
  .map((forms) => {
    const changed = forms.filter(({ name }) => name !== '')
    return {
      name: `dates with ${changed.map(({ name }) => name).join(' and ')}`,
      weight: changed.length,
      write: (parts: DateParts) => {
        const { date, separator, time, fraction, zone } = changed.reduce((all, form) => form.change(all), parts)
        return `${date}${separator}${time}${fraction === '' ? '' : `.${fraction}`}${zone}`
      },
    }
  })
  .filter(({ weight }) => weight > 0)
  .toSorted((one, other) => one.weight - other.weight)

const dateText = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d|)$/

/** Returns the document with its dates in another style. */
export function changeDates(node: JsonNode, style: DateStyle): JsonNode {
  if (node.kind === 'literal') return node
  if (node.kind === 'array') return { ...node, items: node.items.map((item) => changeDates(item, style)) }
  if (node.kind === 'object')
    return { ...node, members: node.members.map(([name, value]) => [name, changeDates(value, style)] as const) }
  const [, date, separator, time, fraction = '', zone = ''] = dateText.exec(node.text) ?? []
  if (date === undefined || separator === undefined || time === undefined) return node
  return { kind: 'string', text: style.write({ date, separator, time, fraction, zone }) }
}
