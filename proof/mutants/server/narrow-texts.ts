import {
  createdAtMember,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
  type EventMember,
} from '../../../reference/server/index.js'
import { defineMutant, patchesOfServer, type Patch } from '../define.js'
import { listsAs } from './narrow-items.js'

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
  listsAs(`(typeof data.subject === 'string' ? { ...data, subject: ((subject) => ${words})(data.subject) } : data)`)

/** The subject of an email that is sent is read by `words`, an expression over `subject`, before it is judged. */
const takesSubject = (words: string): Patch => ({
  file: 'server/api/email-input.ts',
  find: "const subject = text(fields, 'subject')",
  replace: `const subject = ((subject) => ${words})(text(fields, 'subject'))`,
})

/** A field of an email may have several lines, and those that name recipients are taken for headers. */
const takesHeadersFrom = (field: 'subject' | 'from'): readonly [Patch, Patch] => [
  {
    file: 'server/api/email-input.ts',
    find: `if (/[\\r\\n]/.test(${field})) throw invalidRequest('${field} has a line break.', 'Send ${field} as one line.')`,
    replace: '',
  },
  {
    file: 'server/mail.ts',
    find: 'const { senderAddress, scheduledAt, ...fields } = input',
    replace: `const { senderAddress, scheduledAt, ...fields } = input
    const added = /[\\r\\n]\\s*(?:bcc|cc|to):\\s*([^\\s"]+)/i.exec(fields.${field})?.[1]
    if (added !== undefined) fields.bcc = [...fields.bcc, added]`,
  },
]

/** The events with these escapes in their data have no deliveries. */
const sendsNone = (escapes: RegExp): Patch => ({
  file: 'server/recorder.ts',
  find: 'for (const { id: webhookId, workspaceId } of matching) {',
  replace: `for (const { id: webhookId, workspaceId } of matching) {
      if (${String(escapes)}.test(event.dataJson)) continue`,
})

/** Deviations that depend on the contents of a text. */
export const narrowTextMutants = [
  ...patchesOfServer([
    [
      'takes-headers-from-subjects',
      'a line of a subject that names a recipient is a header of the message',
      ['EVT-003', 'EVT-004'],
      ...takesHeadersFrom('subject'),
    ],
    [
      'takes-headers-from-names-of-senders',
      'a line of a display name that names a recipient is a header of the message',
      ['EVT-003', 'SND-003'],
      ...takesHeadersFrom('from'),
    ],
    [
      'cuts-subjects-at-the-end-of-a-line',
      'the first line of a subject is the subject',
      ['EVT-004', 'EVT-003'],
      takesSubject(String.raw`subject.split(/[\r\n]/)[0]`),
    ],
    [
      'cuts-subjects-at-a-nul',
      'a subject ends at its first NUL',
      ['EVT-004', 'EVT-003'],
      takesSubject(String.raw`subject.split('\0')[0]`),
    ],
    [
      'takes-no-subjects-beyond-two-bytes',
      'a subject with a character of four bytes is refused, as by a column of three-byte characters',
      ['SND-001'],
      {
        file: 'server/api/email-input.ts',
        find: "const html = optionalText(fields, 'html')",
        replace: `if (/[\\u{10000}-\\u{10ffff}]/u.test(subject)) throw invalidRequest('subject', 'Send another.')
  const html = optionalText(fields, 'html')`,
      },
    ],
    [
      'folds-subjects-by-compatibility',
      'wide letters and ligatures in the subjects of events are those of ASCII',
      ['EVT-003', 'EVT-004'],
      reads("subject.normalize('NFKC')"),
    ],
    [
      'drops-invisible-signs-of-subjects',
      'joiners and marks of direction are removed from the subjects of events',
      ['EVT-003', 'EVT-004'],
      reads(String.raw`subject.replace(/[\u200b-\u200f\u202a-\u202e\u00ad]/g, '')`),
    ],
    [
      'streams-no-event-with-a-nul',
      'an event with a NUL in a string is not streamed',
      ['EVT-014', 'STR-005'],
      {
        file: 'server/stream.ts',
        find: 'if (!client.isLive || !sees(client, event)) continue',
        replace: String.raw`if (!client.isLive || !sees(client, event) || event.dataJson.includes('\\u0000')) continue`,
      },
    ],
    [
      'sends-no-event-with-half-a-surrogate',
      'an event with half a surrogate in a string has no delivery',
      ['EVT-014', 'DLV-004'],
      sendsNone(/\\ud[89a-f]/),
    ],
    [
      'decodes-percents-in-subjects',
      'what looks percent-encoded in the subjects of events is decoded',
      ['EVT-003', 'EVT-004'],
      reads('subject.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))'),
    ],
    [
      'takes-backslashes-out-of-subjects',
      'backslashes are removed from the subjects of events, as if they had been escaped',
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
