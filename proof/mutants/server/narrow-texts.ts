import {
  createdAtMember,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
  type EventMember,
} from '../../../reference/server/index.js'
import { defineMutant } from '../define.js'

const dataMember = (read: (json: string) => string): EventMember => ({
  name: 'data',
  json: (event) => read(event.dataJson),
})
const numbersMember = dataMember((json) => json.replace(/:"(\d+)"/g, (_, digits) => `:${Number(digits)}`))

/** Changes only the deliveries to webhooks. */
const sends = (read: (json: string) => string) => ({
  bodyMembers: [idMember, typeMember, timestampMember, dataMember(read)],
})
/** Changes only the list. */
const polls = (read: (json: string) => string) => ({
  pollMembers: [idMember, typeMember, orgMember, createdAtMember, dataMember(read)],
})
const times = /"(\d{4}-\d\d-\d\dT[^"]*[+-]\d\d:\d\d)"/g

/** Deviations that depend on the contents of a text. */
export const narrowTextMutants = [
  defineMutant({
    id: 'server/sends-texts-of-digits-as-numbers',
    title: 'webhook deliveries turn digit-only strings into numbers',
    breaks: ['EVT-014'],
    policy: { bodyMembers: [idMember, typeMember, timestampMember, numbersMember] },
  }),
  defineMutant({
    id: 'server/polls-texts-of-digits-as-numbers',
    title: 'strings of digits are numbers only in the list',
    breaks: ['EVT-014'],
    policy: { pollMembers: [idMember, typeMember, orgMember, createdAtMember, numbersMember] },
  }),
  defineMutant({
    id: 'server/sends-the-text-null-as-null',
    title: 'webhook deliveries turn the text "null" into null',
    breaks: ['EVT-014'],
    policy: sends((json) => json.replaceAll(':"null"', ':null')),
  }),
  defineMutant({
    id: 'server/polls-times-in-texts-as-utc',
    title: 'the list rewrites strings that look like times in UTC',
    breaks: ['EVT-014'],
    policy: polls((json) => json.replace(times, (_, text: string) => JSON.stringify(new Date(text)))),
  }),
  defineMutant({
    id: 'server/polls-composed-letters',
    title: 'the store of the list has letters and their accents composed',
    breaks: ['EVT-014'],
    policy: polls((json) => json.normalize('NFC')),
  }),
  defineMutant({
    id: 'server/polls-ends-of-lines-of-unix',
    title: 'ends of lines in strings are those of Unix only in the list',
    breaks: ['EVT-014'],
    policy: polls((json) => json.replaceAll(String.raw`\r\n`, String.raw`\n`)),
  }),
  defineMutant({
    id: 'server/sends-dates-in-texts-as-times',
    title: 'webhook deliveries write strings that are dates as times',
    breaks: ['EVT-014'],
    policy: sends((json) => json.replace(/"(\d{4}-\d\d-\d\d)"/g, (_, text: string) => JSON.stringify(new Date(text)))),
  }),
  defineMutant({
    id: 'server/polls-texts-with-exponents-as-numbers',
    title: 'strings that are numbers with an exponent are numbers only in the list',
    breaks: ['EVT-014'],
    policy: polls((json) => json.replace(/:"(\d+e\d+)"/g, (_, text: string) => `:${Number(text)}`)),
  }),
  defineMutant({
    id: 'server/sends-straight-quotes',
    title: 'webhook deliveries turn curly quotation marks into straight ones',
    breaks: ['EVT-014'],
    policy: sends((json) => json.replaceAll('\u2019', "'")),
  }),
  defineMutant({
    id: 'server/sends-each-recipient-once',
    title: 'webhook deliveries drop repeated addresses',
    breaks: ['EVT-014'],
    policy: sends((json) =>
      json.replace(/(?<="(?:to|cc)":)\[[^\]]*\]/g, (list) =>
        JSON.stringify([...new Set(JSON.parse(list) as string[])]),
      ),
    ),
  }),
]
