// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
//
// Texts that careless code changes, in every field that holds the service's or a stranger's words.
//
// Reading: an event with a NUL or half a surrogate may be refused, or the character replaced: then every outlet shows the same replacement.

import type { EventType } from '../../../spec/index.js'
import {
  memberOf,
  sampleData,
  serviceCase,
  type Checks,
  type RaisedEvent,
  type Webhook,
} from '../../../harness/authoring.js'
import { blanks, controls, keepsText, plainTexts, unstorable } from '../../shared/texts.js'
import { frameOf, listedEvents, showsEvent } from '../shared/event-log.js'

/** The fields of an event that hold words: one text, a list of texts, or an object of them. */
type Form = 'text' | 'list' | 'object'
const fieldsOfWords: readonly (readonly [type: EventType, fields: Readonly<Record<string, Form>>])[] = [
  ['message.received', { from: 'text', subject: 'text' }],
  ['message.queued', { subject: 'text', to: 'list', cc: 'list' }],
  ['message.bounced', { recipient: 'text', response: 'text', bounce_classification: 'text' }],
  ['sending.paused', { reason: 'text', stats: 'object' }],
]
/** Texts in a list or an object. */
const several = 3

interface Plan {
  readonly type: EventType
  readonly words: Readonly<Record<string, unknown>>
}

/** Events in which each text is the value of one field at least, and a member of a list or an object. */
function plansOf(texts: readonly string[]): Plan[] {
  const plans: Plan[] = []
  let single = 0
  let member = 0
  const next = (form: Form): unknown => {
    const textAt = (index: number) => texts[index % texts.length] ?? ''
    if (form === 'text') return textAt(single++)
    const members = Array.from({ length: several }, () => textAt(member++))
    return form === 'list' ? members : Object.fromEntries(members.map((text, index) => [`text_${index}`, text]))
  }
  for (let round = 0; single < texts.length || member < texts.length; round++) {
    const [type, fields] = fieldsOfWords[round % fieldsOfWords.length] ?? ['message.received', {}]
    plans.push({ type, words: Object.fromEntries(Object.entries(fields).map(([name, form]) => [name, next(form)])) })
  }
  return plans
}

/** Texts whose characters a decoder may replace; lone surrogates have no form in UTF-8. */
const wellFormed = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString()

const isStorable = (words: unknown) => !unstorable.some((text) => text === words)

interface Raised {
  readonly event: RaisedEvent
  readonly plan: Plan
}

export const eventTexts = [
  serviceCase({
    id: 'service/equivalence/holds-for-any-text-in-any-field',
    requirements: ['EVT-014'],
    level: 'must',
    title:
      'texts like numbers, dates or JSON, of any script and with any signs, are equal by webhook, stream and polling',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const marker = await project.raise('message.received')
      const live = await project.stream().opened(require.of('STR-001'))
      const raise = async (plan: Plan): Promise<Raised> => {
        const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
        return {
          plan,
          event: await project.raise(plan.type, { data: { ...sampleData(plan.type, options), ...plan.words } }),
        }
      }
      const raised: Raised[] = []
      for (const plan of plansOf([...plainTexts, ...blanks, ...controls])) raised.push(await raise(plan))
      for (const plan of unstorable.map((subject): Plan => ({ type: 'message.received', words: { subject } }))) {
        const taken = await raise(plan).catch(() => undefined)
        if (taken !== undefined) raised.push(taken)
      }
      const resumed = await project.stream({ after: marker.id }).opened(require.of('STR-001'))
      const ids = raised.map(({ event }) => event.id)
      const items = await listedEvents(sandbox, project.api, ids, marker.id)
      for (const { event, plan } of raised) {
        const data = await expectKept(webhook, { event, plan }, require)
        const streams = [live, resumed].map((stream) => showsEvent(stream, sandbox, event.id))
        const isShown = (await Promise.all(streams)).every(Boolean)
        require.ok(`${event.type} on a live stream and on one that resumed`, isShown, 'one frame', 'none')
        for (const [where, one] of [
          ['the frame of a live stream', frameOf(live, event)],
          ['the frame of a stream that resumed', frameOf(resumed, event)],
          ['the list', items.find((candidate) => memberOf(candidate, 'id') === event.id)],
        ] as const)
          for (const name of Object.keys(plan.words)) {
            const [shown, sent] = [memberOf(memberOf(one, 'data'), name), memberOf(data, name)]
            if (wellFormed(shown) !== wellFormed(sent)) check.equal(`${name} of ${event.type} in ${where}`, shown, sent)
          }
      }
    },
  }),
]

/** Returns the data of an event as its webhook got it: with the texts that were raised. */
async function expectKept(webhook: Webhook, { event, plan }: Raised, require: Checks): Promise<unknown> {
  const attempt = await webhook.attempt(1, event, require)
  const data = attempt.field('data')
  for (const [name, words] of Object.entries(plan.words)) {
    const sent = memberOf(data, name)
    const what = `${name} of the ${event.type} that was sent`
    if (isStorable(words)) require.equal(what, sent, words)
    else require.ok(what, keepsText(String(words), sent), JSON.stringify(words), sent)
  }
  return data
}
