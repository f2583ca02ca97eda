import { parsedEvent } from '../../../reference/client/verify-webhook.js'
import { readErrorFields } from '../../../reference/client/error-fields.js'
import { setupPolicy } from '../../../reference/client/policy/setup.js'
import { defineMutant, type Mutant } from '../define.js'

type Read = (value: unknown) => unknown

/** Maps a JSON value and each of its members with `read`. */
function readAs(value: unknown, read: Read): unknown {
  if (Array.isArray(value)) return read(value.map((element) => readAs(element, read)))
  if (typeof value !== 'object' || value === null) return read(value)
  return read(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readAs(member, read)])))
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
const asList: Read = (value) => (isEmptyObject(value) ? [] : value)
const asWord: Read = (value) => (value === 'true' ? true : value === 'false' ? false : value)
const asNumber: Read = (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)
const inTexts =
  (change: (text: string) => unknown): Read =>
  (value) =>
    typeof value === 'string' ? change(value) : value

const ofAnswers: readonly (readonly [id: string, title: string, read: Read])[] = [
  ['takes-empty-objects-for-lists', 'an empty object of an answer is returned as an empty list', asList],
  ['takes-words-for-booleans', 'the strings true and false of an answer are returned as booleans', asWord],
  [
    'drops-null-from-lists',
    'of the items of a list those that are null are left out',
    (value) => (Array.isArray(value) ? value.filter((element) => element !== null) : value),
  ],
  [
    'returns-a-hundred',
    'of a list of an answer a hundred items are returned',
    (value) => (Array.isArray(value) ? value.slice(0, 100) : value),
  ],
  [
    'knows-no-number-below-zero',
    'a number below zero is returned without its sign',
    (value) => (typeof value === 'number' ? Math.abs(value) : value),
  ],
  [
    'reads-json-in-texts',
    'a text that looks like a JSON list is returned as that list',
    inTexts((text) => (/^\[.*\]$/.test(text) ? JSON.parse(text) : text)),
  ],
  [
    'keeps-texts-short',
    'of a text of an answer 4,096 characters are returned',
    inTexts((text) => text.slice(0, 4_096)),
  ],
]

/** Mistakes that show with concurrent calls and other clients, in the precision of a time, and in values that look like others. */
export const concurrencyMutants: readonly Mutant<'client'>[] = [
  ...ofAnswers.map(([id, title, read]) =>
    defineMutant({
      id: `client/${id}`,
      title,
      breaks: ['CLI-028', 'CLI-059', 'CLI-060', 'CLI-066'],
      policy: { value: (json) => readAs(json, read) },
    }),
  ),
  defineMutant({
    id: 'client/reads-digits-of-events-as-numbers',
    title: 'a text of digits in a verified event is returned as a number',
    breaks: ['CLI-048', 'CLI-051'],
    policy: { verifiedEvent: (payload) => readAs(parsedEvent(payload), asNumber) },
  }),
  defineMutant({
    id: 'client/tells-the-first-line-of-an-error',
    title: 'the message of an error ends with its first line',
    breaks: ['CLI-031'],
    policy: {
      errorFields: (body) => {
        const fields = readErrorFields(body)
        return { ...fields, message: fields.message?.split('\n')[0] }
      },
    },
  }),
  defineMutant({
    id: 'client/cuts-extra-headers-at-a-comma',
    title: 'loses the part after a comma in the value of an extra header',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.split(',')[0] ?? ''])),
    },
  }),
  defineMutant({
    id: 'client/keeps-255-characters-of-extra-headers',
    title: 'of the value of an extra header 255 characters are sent',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.slice(0, 255)])),
    },
  }),
  defineMutant({
    id: 'client/writes-tabs-as-blanks',
    title: 'a tab in an email is sent as a blank',
    breaks: ['CLI-037', 'CLI-038'],
    policy: {
      body: (_name, given) =>
        readAs(
          given,
          inTexts((text) => text.replaceAll('\t', ' ')),
        ),
    },
  }),
  defineMutant({
    id: 'client/ends-lines-of-html-otherwise',
    title: 'html is sent with LF line ends instead of CRLF',
    breaks: ['CLI-037', 'CLI-038'],
    policy: {
      body: (_name, given) =>
        readAs(
          given,
          inTexts((text) => (text.startsWith('<') ? text.replaceAll('\r\n', '\n') : text)),
        ),
    },
  }),
  defineMutant({
    id: 'client/sends-the-same-email-once',
    title: 'of the emails of a batch that are the same one is sent',
    breaks: ['CLI-038'],
    policy: {
      body: (name, given) =>
        name === 'emails.batch' && Array.isArray(given)
          ? [...new Set(given.map((element) => JSON.stringify(element)))].map((json) => JSON.parse(json) as unknown)
          : given,
    },
  }),
  defineMutant({
    id: 'client/limits-no-less-than-a-second',
    title: 'a timeoutMs below one second is treated as one second',
    breaks: ['CLI-009', 'CLI-030'],
    policy: { callTimeoutMs: (times) => Math.max(1_000, setupPolicy.callTimeoutMs(times)) },
  }),
  defineMutant({
    id: 'client/limits-by-whole-seconds',
    title: 'timeoutMs is rounded to whole seconds',
    breaks: ['CLI-009', 'CLI-030'],
    policy: { callTimeoutMs: (times) => Math.max(1, Math.round(setupPolicy.callTimeoutMs(times) / 1_000)) * 1_000 },
  }),
  defineMutant({
    id: 'client/limits-by-a-minute-at-most',
    title: 'a timeoutMs of more than a minute is treated as a minute',
    breaks: ['CLI-009', 'CLI-030'],
    policy: { callTimeoutMs: (times) => Math.min(60_000, setupPolicy.callTimeoutMs(times)) },
  }),
  defineMutant({
    id: 'client/retries-five-times-at-most',
    title: 'a maxRetries of more than 5 is treated as 5',
    breaks: ['CLI-007'],
    policy: { attempts: (maxRetries) => Math.min(5, maxRetries) + 1 },
  }),
]
