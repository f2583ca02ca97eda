// DLV-005, DLV-006  any 2xx within 10 seconds is success, and the delivery is not attempted again.
// DLV-009, DLV-010  redirects are not followed and count as failures.
// DLV-011, DLV-022, RTY-012  every kind of failure is retried.
// DLV-017 to DLV-020  the fields of a delivery record.
//
// Reading: the workspace's clock runs on in real time, so that against a slow target the second attempt may be made
// while the deliveries of the first are still being read; what follows the first is judged only where it stands alone.

import {
  redirect,
  serviceCase,
  status,
  type Answer,
  type DeliveryItem,
  type Hook,
  type RaisedEvent,
  type Scene,
} from '../../harness/authoring.js'

const successes = [200, 201, 202, 204, 206, 226, 299]
const failures = [
  300, 304, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 451, 500, 501, 502, 503, 504,
]
/** The schedule is the interface's; what the consumer asks for does not change it. */
const longRetryAfter = { 'retry-after': '3600' }
/** The status alone decides: a body that speaks of an error changes nothing. */
const bodyOf = (code: number) => (code === 201 ? { body: '{"ok":false,"error":"failed"}' } : {})
const redirects = [301, 302, 303, 307, 308]

/** Failures in which no complete answer comes. */
const day = 24 * 3_600_000
/** Longest time in which a first attempt is still made at once, in milliseconds: half the time to answer. */
const promptMs = 5_000

/** Ends of a url that a careless sender leaves out; none that an HTTP library may write in another way. */
const suffixes = [
  '?token=a1&b=2&b=3',
  '/Deeper/Path?Token=aB',
  '/with%20blank?x=1',
  '/one%2Fsegment',
  '/empty//segment',
  '?z=1&a=2',
]

const breaks: readonly (readonly [name: string, answer: Answer])[] = [
  ['reset', { kind: 'reset' }],
  ['garbled-answer', { kind: 'garbage' }],
]

/** The delivery at each hook after its first attempt got the code; none in real time, nor where a second was made meanwhile. */
async function afterFirstAttempt(
  scene: Scene,
  hooks: readonly Hook[],
  event: RaisedEvent,
  codes: readonly number[],
): Promise<{ readonly code: number | undefined; readonly delivery: DeliveryItem }[]> {
  if (scene.time === 'real') return []
  const seen = await Promise.all(
    hooks.map(async (hook, index) => ({
      hook,
      code: codes[index],
      delivery: await hook.deliveryWhen((each) => each.response_code === codes[index]),
    })),
  )
  return seen.filter(({ hook }) => hook.attempts(event).length === 1)
}

export const deliveries = [
  serviceCase({
    id: 'service/deliveries/any-2xx-is-success',
    requirements: ['DLV-004', 'DLV-005', 'DLV-006', 'DLV-016', 'DLV-017', 'DLV-018', 'RTY-001'],
    level: 'must',
    title: 'each 2xx makes the delivery succeeded at its first attempt, with its code, and it is not attempted again',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const hooks = await Promise.all(
        successes.map((code) =>
          project.hook({ eventTypes: ['message.received'], answers: [status(code, bodyOf(code))] }),
        ),
      )
      const event = await project.raise('message.received')
      await Promise.all(hooks.map((hook) => hook.attempt(1, event, require.of('RTY-001'))))
      await scene.settle()
      await scene.advance(7_000)
      for (const [index, hook] of hooks.entries()) {
        const code = successes[index]
        check.of('DLV-006').equal(`attempts after a ${code}`, hook.attempts(event).length, 1)
        const delivery = await hook.deliveryWhen((each) => each.status !== 'pending' && each.response_code === code)
        check.of('DLV-005').equal(`status after a ${code}`, delivery.status, 'succeeded')
        check.of('DLV-018').equal('response_code', delivery.response_code, code)
        check.of('DLV-017').equal('attempt', delivery.attempt, 1)
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/anything-else-is-retried',
    requirements: ['DLV-011', 'DLV-016', 'DLV-018', 'RTY-012'],
    level: 'must',
    title: 'each answer beside 2xx leaves the delivery pending with its code, and it is attempted again',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const hooks = await Promise.all(
        failures.map((code) =>
          project.hook({
            eventTypes: ['message.received'],
            answers: [status(code, { headers: longRetryAfter }), status(200)],
          }),
        ),
      )
      const event = await project.raise('message.received')
      await Promise.all(hooks.map((hook) => hook.attempt(1, event)))
      await scene.settle()
      const afterFirst = await afterFirstAttempt(scene, hooks, event, failures)
      for (const { code, delivery } of afterFirst) {
        check.of('DLV-011').equal(`status after a ${code}`, delivery.status, 'pending')
        check.of('DLV-018').equal('response_code', delivery.response_code, code)
      }
      await scene.advance(7_000)
      await Promise.all(hooks.map((hook) => hook.attempt(2, event, check.of('RTY-012')).catch(() => undefined)))
      const ended = await Promise.all(
        hooks.map((hook) => hook.deliveryWhen((each) => each.status === 'succeeded' && each.attempt === 2)),
      )
      for (const [index, delivery] of ended.entries()) {
        check.of('DLV-017').equal(`attempt after a ${failures[index]} and a 200`, delivery.attempt, 2)
        check.of('RTY-011').equal(`status after a ${failures[index]} and a 200`, delivery.status, 'succeeded')
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/does-not-follow-redirects',
    requirements: ['DLV-009', 'DLV-010'],
    level: 'must',
    title: 'a redirect is not followed, counts as a failure, and is attempted again at the first url',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const elsewhere = await project.hook({ eventTypes: ['sending.resumed'] })
      const targets = [elsewhere.endpoint.url, new URL(elsewhere.endpoint.url).pathname]
      const plans = targets.flatMap((target) => redirects.map((code) => ({ target, code })))
      const hooks = await Promise.all(
        plans.map(({ target, code }) =>
          project.hook({ eventTypes: ['message.received'], answers: [redirect(target, code), status(200)] }),
        ),
      )
      const moved = await project.hook({ eventTypes: ['message.received'], answers: [status(200)] })
      moved.endpoint.script(redirect(`${moved.endpoint.url}/moved`, 308), status(200))
      const event = await project.raise('message.received')
      await Promise.all(hooks.map((hook) => hook.attempt(1, event)))
      await scene.settle()
      const codes = plans.map(({ code }) => code)
      for (const { code, delivery } of await afterFirstAttempt(scene, hooks, event, codes))
        check.of('DLV-010').equal(`status after a ${code}`, delivery.status, 'pending')
      await scene.advance(7_000)
      const isRetried = await Promise.all(
        hooks.map((hook) => hook.endpoint.until(() => hook.attempts(event).length >= 2, scene.budgetMs)),
      )
      for (const [index, held] of isRetried.entries())
        check.of('DLV-010').ok(`second attempt after a ${codes[index]}`, held, 'made', 'none')
      const followed = elsewhere.endpoint.attempts.filter((each) => each.field('type') !== 'sending.resumed')
      check.of('DLV-009').equal('requests that followed a redirect', followed.length, 0)
      const strayed = moved.attempts(event).filter(({ path }) => path.endsWith('/moved'))
      check.of('DLV-009').equal('requests that followed a redirect below the url', strayed.length, 0)
    },
  }),

  ...breaks.map(([name, answer]) =>
    serviceCase({
      id: `service/deliveries/retries-after-a-${name}`,
      requirements: ['DLV-022', 'RTY-012'],
      level: 'must',
      title: 'a connection that breaks without an answer is a failed attempt, and is retried',
      needs: ['sink', 'time:5000', 'event:message.received'],
      async run({ scene: open, check, require }) {
        const scene = await open()
        const hook = await scene.project.hook({ eventTypes: ['message.received'], answers: [answer, status(200)] })
        const event = await scene.project.raise('message.received')
        await hook.attempt(1, event)
        await scene.settle()
        const { status: state } = await hook.delivery()
        if (scene.time === 'virtual' && hook.attempts(event).length === 1)
          check.equal('status after the break', state, 'pending')
        await scene.advance(7_000)
        await hook.attempt(2, event, require.of('RTY-012'))
        check
          .of('RTY-011')
          .equal(
            'status after a second attempt',
            (await hook.deliveryWhen((each) => each.status === 'succeeded')).status,
            'succeeded',
          )
      },
    }),
  ),

  serviceCase({
    id: 'service/deliveries/is-pending-while-it-is-under-way',
    requirements: ['DLV-004', 'DLV-016'],
    level: 'must',
    title: 'a delivery whose first attempt is not answered yet is listed as pending, and succeeds when it is answered',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'hang' }, status(500)],
      })
      const attempt = await hook.heldAttempt(await scene.project.raise('message.received'))
      const underWay = await hook.deliveries()
      attempt.answer(status(200))
      check.of('DLV-004').equal('deliveries listed while the attempt is under way', underWay.length, 1)
      check.of('DLV-004').equal('status while the attempt is under way', underWay[0]?.status, 'pending')
      await scene.settle()
      const delivery = await hook.deliveryWhen((each) => each.status !== 'pending')
      check.of('DLV-005').equal('status after a 200', delivery.status, 'succeeded')
    },
  }),

  serviceCase({
    id: 'service/deliveries/do-not-wait-for-one-under-way',
    requirements: ['RTY-001'],
    level: 'should',
    title: 'while a webhook holds back its answer to one event, the first attempt of the next is made',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const hook = await project.hook({ eventTypes: ['message.received'], answers: [{ kind: 'hang' }, status(200)] })
      const held = await hook.heldAttempt(await project.raise('message.received'))
      const next = await project.raise('message.received')
      const isMade = await hook.endpoint.until(() => hook.attempts(next).length > 0, promptMs)
      held.answer(status(200))
      check.ok('first attempt of the next event', isMade, 'made while the other is under way', 'not made')
    },
  }),

  serviceCase({
    id: 'service/deliveries/goes-to-the-url-as-registered',
    requirements: ['DLV-001'],
    level: 'must',
    title: 'the path and the query of the url are sent as they were registered',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const hooks = await Promise.all(
        suffixes.map((suffix) => project.hook({ eventTypes: ['message.received'], suffix })),
      )
      const event = await project.raise('message.received')
      for (const [index, hook] of hooks.entries()) {
        const suffix = suffixes[index] ?? ''
        const { path } = await hook.attempt(1, event)
        check.ok(`target of a delivery to a url that ends with ${suffix}`, path.endsWith(suffix), suffix, path)
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/say-that-the-body-is-json',
    requirements: ['DLV-001'],
    level: 'should',
    title: 'the content type of a delivery is that of JSON',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const hook = await project.hook({ eventTypes: ['message.received'] })
      const attempt = await hook.attempt(1, await project.raise('message.received'))
      check.matches(
        'content-type',
        attempt.header('content-type')?.toLowerCase(),
        /^application\/([^;]+\+)?json\s*(;|$)/,
      )
    },
  }),

  serviceCase({
    id: 'service/deliveries/go-on-after-one-has-failed',
    requirements: ['DLV-004', 'DLV-023'],
    level: 'must',
    title: 'a webhook whose delivery has failed for good gets the next event all the same',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const hook = await scene.project.hook({ eventTypes: ['message.received'], answers: [status(500)] })
      await hook.attempt(1, await scene.project.raise('message.received'))
      await scene.settle()
      await scene.advance(2 * day)
      require.of('RTY-009').equal('status two days later', (await hook.delivery()).status, 'failed')
      hook.endpoint.script(status(200))
      await hook.attempt(1, await scene.project.raise('message.received'), require.of('DLV-004'))
      await scene.settle()
      const statuses = (await hook.deliveries()).map((each) => each.status)
      check.of('DLV-004').equal('statuses of the two deliveries', statuses, ['succeeded', 'failed'])
    },
  }),

  serviceCase({
    id: 'service/deliveries/one-delivery-for-each-webhook-and-event',
    requirements: ['DLV-023', 'WHK-021', 'SIG-006'],
    level: 'must',
    title: 'three webhooks and two events make six deliveries, each signed with the secret of its own webhook',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const hooks = [
        await project.hook(),
        await project.hook(),
        await project.hook({ eventTypes: ['message.received'] }),
      ]
      const events = [await project.raise('message.received'), await project.raise('message.received')]
      await scene.settle()
      for (const hook of hooks) {
        for (const event of events) await hook.attempt(1, event)
        check.of('WHK-021').equal('attempts at each endpoint', hook.attempts().length, 2)
        check.of('DLV-023').equal('deliveries listed for each webhook', (await hook.deliveries()).length, 2)
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/webhooks-on-one-url-are-two',
    requirements: ['DLV-023', 'SIG-006', 'RTY-012'],
    level: 'must',
    title:
      'a second webhook on one url is refused, or both get a delivery of their own secret and one outlives the other',
    needs: ['sink', 'clock', 'own-data'],
    async run({ scene: open, check, unique }) {
      const scene = await open()
      const { project } = scene
      const fields = { url: `https://hooks.example.com/${unique()}`, event_types: ['sending.resumed'] }
      const probes = [await project.api.createWebhook(fields), await project.api.createWebhook(fields)]
      for (const probe of probes)
        if (probe.field('id') !== undefined) await project.api.deleteWebhook(String(probe.field('id')))
      const { status: answer = 0 } = probes[1] ?? {}
      if (answer >= 400 && answer < 500) return
      const first = await project.hook({ answers: [status(500), status(500), status(200)] })
      const second = await project.hook({ beside: first })
      const event = await project.raise('message.received')
      await first.attempt(1, event)
      await scene.settle()
      check.of('DLV-023').equal('attempts at the url', first.attempts(event).length, 2)
      for (const [index, hook] of [first, second].entries()) {
        const listed = await hook.deliveries()
        check.of('DLV-023').equal(`deliveries listed for webhook ${index + 1} of 2`, listed.length, 1)
        const signed = first.attempts(event).filter((each) => hook.hasSigned(each))
        check.of('SIG-006').equal(`attempts signed with the secret of webhook ${index + 1} of 2`, signed.length, 1)
      }
      await first.delete()
      await scene.advance(7_000)
      const retries = first.attempts(event).slice(2)
      check.of('RTY-012').equal('retries once the first was deleted', retries.length, 1)
      check.of('SIG-006').ok(
        'secret of the retry',
        retries.every((each) => second.hasSigned(each)),
        'that of the second webhook',
        'another',
      )
    },
  }),
]
