import { status, type Answer } from '../../../harness/authoring.js'

/** Codes that are success. */
export const successes = [200, 201, 202, 204, 206, 226, 299, 203, 205, 207]

const json = { 'content-type': 'application/json' }

/** Only the status decides: headers and bodies that would be an error or a wish elsewhere change nothing. */
const comesWith: Readonly<Partial<Record<number, Parameters<typeof status>[1]>>> = {
  200: { headers: { ...json, 'content-length': '0' }, body: '' },
  201: { headers: { ...json, location: '/made/1' }, body: '{"ok":false,"error":"failed"}' },
  202: { headers: { 'retry-after': '3600' } },
  203: { headers: json, body: '{taken' },
  205: { headers: { 'content-length': '0' }, body: '', isOld: true },
  206: { headers: { 'content-type': 'text/html' }, body: '<h1>taken</h1>' },
  207: { body: 'taken', isBare: true },
  226: { headers: { 'content-type': 'text/plain; charset=x-unknown' }, body: 'taken' },
  299: { headers: { 'set-cookie': 'a=1; secure', 'content-encoding': 'x-unknown' }, body: 'taken' },
}

/** An answer that is success. */
export const successOf = (code: number): Answer => status(code, comesWith[code])
