import {
  createdAtMember,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
  type EventMember,
} from '../../../reference/server/index.js'
import { defineMutant, patchesOfServer } from '../define.js'
import { tells } from './cells-of-items.js'

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

/** The subjects of events are read by `words`, an expression over `subject`. */
const reads = (words: string) =>
  tells(`(typeof data.subject === 'string' ? { ...data, subject: ((subject) => ${words})(data.subject) } : data)`)

/** Deviations that depend on the contents of a text. */
export const wordCellMutants = [
  ...patchesOfServer([
    [
      'decodes-percents-in-subjects',
      'what looks percent-encoded in the subjects of events is decoded',
      ['EVT-003', 'EVT-004'],
      reads('subject.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))'),
    ],
    [
      'takes-backslashes-out-of-subjects',
      'backslashes are taken out of the subjects of events, as if they had been escaped',
      ['EVT-003', 'EVT-004'],
      reads(String.raw`subject.replace(/\\(.)/g, '$1')`),
    ],
    [
      'decodes-entities-in-subjects',
      'entities of HTML in the subjects of events are decoded',
      ['EVT-003', 'EVT-004'],
      reads("subject.replaceAll('&amp;', '&')"),
    ],
  ]),
  defineMutant({
    id: 'server/sends-texts-of-digits-as-numbers',
    title: 'webhook deliveries turn digit-only strings into numbers',
    breaks: ['EVT-014'],
    policy: { bodyMembers: [idMember, typeMember, timestampMember, numbersMember] },
  }),
  defineMutant({
    id: 'server/polls-texts-of-digits-as-numbers',
    title: 'texts of digits are numbers in the list alone',
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
    title: 'ends of lines in texts are those of Unix in the list alone',
    breaks: ['EVT-014'],
    policy: polls((json) => json.replaceAll(String.raw`\r\n`, String.raw`\n`)),
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
