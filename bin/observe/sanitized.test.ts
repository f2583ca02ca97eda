// Cleaned HAR files: a placeholder for a key, a secret or a signature is not a fault.
import { expect, test } from 'vitest'
import { at, created, delivery, event, har, listed, page, type Entry } from '../../harness/testing/traffic/har.js'
import { broken, linesOf } from '../../harness/testing/traffic/traffic-verdict.js'
import {
  e1,
  e2,
  e3,
  inSecondInbox,
  list,
  otherSecret,
  paused,
  secondWebhook,
} from '../../harness/testing/traffic/conforming-traffic.js'

const words = [
  '[redacted]',
  'REDACTED',
  '***',
  '[secret redacted]',
  '<hidden>',
  '(removed)',
  '[Filtered]',
  'xxxxx',
  'abcd****',
]
const foundIn = (entries: readonly Entry[]) => broken(linesOf(har(entries)))

test.each([...words, ...words.map((word) => `whsec_${word}`)])('a secret replaced by %s', (word) => {
  expect(foundIn([created(0, { got: { secret: word } }), delivery(1, e1)])).toEqual([])
})

test.each(words)('keys replaced by %s', (key) => {
  const ofTwoOrgs = [page(5, undefined, list(e1, e2), { key }), page(6, undefined, [listed(e3, 'org_2')], { key })]
  expect(foundIn(ofTwoOrgs)).toEqual([])
  expect(
    foundIn([created(0, { key }), created(1, { ...secondWebhook.other, got: { inbox_id: 'ibx_1' }, key })]),
  ).toEqual([])
})

test('events of the workspace in two projects may have their own times', () => {
  const key = '[redacted]'
  const inTwoProjects = [created(0, { key }), created(0.1, { ...secondWebhook.other, key })]
  const twice = (pushed: Record<string, unknown>, timestamp: string) => [
    delivery(7, pushed),
    delivery(7.1, { ...pushed, timestamp }, { secret: otherSecret }),
  ]
  expect(foundIn([...inTwoProjects, ...twice(paused, at(6.001))])).toEqual([])
  expect(foundIn([...inTwoProjects, ...twice(e1, at(1.001))])).toEqual(['EVT-014'])
})

test('a key that goes on from a cursor of another is not taken for it, and what one page leaves out is lost', () => {
  const key = '[redacted]'
  const ofAllInboxes = page(5, undefined, list(e1, inSecondInbox(2), e3), { key })
  const ofOneInbox = page(6, undefined, list(e1, e3), { key })
  const goesOn = page(7, e3['id'] as string, list(event(4), inSecondInbox(5)), { key })
  expect(foundIn([ofAllInboxes, ofOneInbox, goesOn])).toEqual([])
  expect(foundIn([ofAllInboxes, page(6, undefined, list(e1, inSecondInbox(4)), { key })])).toEqual(['POL-003'])
  const lostAtTheSeam = [page(6, undefined, list(e1), { key }), page(7, e1['id'] as string, list(event(4)), { key })]
  expect(foundIn([ofAllInboxes, ...lostAtTheSeam])).toEqual(['POL-008'])
})

test.each([...words, 'v1,***', 'v1,[redacted]'])('a signature replaced by %s', (signature) => {
  expect(foundIn([created(0), delivery(1, e1, { signature })])).toEqual([])
})

test('what looks like none is judged', () => {
  expect(foundIn([created(0, { got: { secret: 'secret' } })])).toEqual(['WHK-004'])
  expect(foundIn([created(0), delivery(1, e1, { signature: 'v1,redacted=' })])).toEqual(['SIG-004'])
})
