// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-015  "A network failure is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
//
// Reading: `emails.send` carries an Idempotency-Key and is retried after anything; so it is the call of these cases.

import { TooBusy, clientCase, json, refusal, type ClientHandle } from '../../harness/authoring.js'
import { shapes } from './errors.js'
import { email, errorOf, send, valueOf } from './expectations.js'
import { median } from './judge-waits.js'

const good = json(200, { id: 'em_1' })
/** Server errors that a list of the usual ones leaves out. */
const rareStatuses = [505, 506, 507, 508, 509, 510, 511, 512, 521, 522, 523, 524, 525, 526, 529, 530, 598, 599]
/** Codes that sound like a failure which passes; it is the status that counts. */
const codesOfRetries = ['conflict', 'rate_limited', 'try_again', 'temporarily_unavailable', 'internal_error', 'timeout']
const redirects = { must: [300, 304], should: [301, 302, 303, 307, 308] } as const

export const retries = [
  ...[429, 500, 501, 502, 503, 504, 520].map((status) =>
    clientCase({
      id: `client/retries/retries-a-${status}`,
      requirements: [status === 429 ? 'CLI-013' : 'CLI-014'],
      level: 'must',
      title: `a ${status} is followed by another attempt, whose answer is the result`,
      async run({ client, server, check, require }) {
        server.replies(refusal(status, 'try_again'), good)
        const value = valueOf(
          require,
          `emails.send answered ${status} and then 200`,
          await send(await client({ max_retries: 2 })),
        )
        check.equal('value', value, { id: 'em_1' })
        check.equal('number of requests', server.requests.length, 2)
        check.equal('second request', server.requests[1]?.json, server.requests[0]?.json)
      },
    }),
  ),

  clientCase({
    id: 'client/retries/retries-a-get',
    requirements: ['CLI-013', 'CLI-014'],
    level: 'must',
    title: 'a request that only reads is retried after 429 and 5xx',
    async run({ client, server, check, require }) {
      server.replies(
        refusal(503, 'try_again'),
        refusal(429, 'slow_down'),
        json(200, { id: 'em_1', status: 'sent', recipients: [] }),
      )
      const handle = await client({ max_retries: 2 })
      valueOf(require, 'emails.get', await handle.call('emails.get', ['em_1']))
      check.equal('number of requests', server.requests.length, 3)
    },
  }),

  clientCase({
    id: 'client/retries/retries-a-patch',
    requirements: ['CLI-014'],
    level: 'must',
    title: 'a changing request that creates nothing is retried after a 5xx, even without a key',
    async run({ client, server, check, require }) {
      server.replies(refusal(500, 'try_again'), json(200, { object: 'email', id: 'em_1' }))
      const handle = await client({ max_retries: 2 })
      const args = ['em_1', { scheduled_at: '2030-01-02T03:04:05.000Z' }]
      valueOf(require, 'emails.update answered 500 and then 200', await handle.call('emails.update', args))
      check.equal(
        'requests',
        server.requests.map((request) => request.method),
        ['PATCH', 'PATCH'],
      )
    },
  }),

  // "Other POST requests that create something": a cancel creates nothing, but a library may decide by the method alone.
  clientCase({
    id: 'client/retries/retries-a-post-that-creates-nothing',
    requirements: ['CLI-014'],
    level: 'should',
    title: 'cancelling an email is retried after a 5xx',
    async run({ client, server, check, require }) {
      server.replies(refusal(500, 'try_again'), json(200, { object: 'email', id: 'em_1' }))
      const handle = await client({ max_retries: 2 })
      valueOf(require, 'emails.cancel answered 500 and then 200', await handle.call('emails.cancel', ['em_1']))
      check.equal('number of requests', server.requests.length, 2)
    },
  }),

  ...(['reset', 'reset-in-body'] as const).map((kind) =>
    clientCase({
      id: `client/retries/retries-a-${kind === 'reset' ? 'reset-before-an-answer' : 'reset-in-the-middle-of-the-body'}`,
      requirements: ['CLI-015'],
      level: kind === 'reset' ? 'must' : 'should',
      title:
        kind === 'reset'
          ? 'a connection reset before an answer is retried'
          : 'a connection reset in the middle of the body is retried',
      async run({ client, server, check, require }) {
        server.replies(kind === 'reset' ? { kind } : { kind, status: 200 }, good)
        const value = valueOf(require, 'emails.send', await send(await client({ max_retries: 2 })))
        check.equal('value', value, { id: 'em_1' })
        check.ok('number of requests', server.requests.length >= 2, 'at least 2', server.requests.length)
      },
    }),
  ),

  clientCase({
    id: 'client/retries/retries-a-connection-closed-in-the-middle-of-the-body',
    requirements: ['CLI-015'],
    level: 'should',
    title: 'emails.send and emails.get retry after a connection that was closed inside a body',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 2 })
      const body = JSON.stringify({ id: 'em_1', note: 'x'.repeat(200) })
      for (const [method, args] of [
        ['emails.send', [email]],
        ['emails.get', ['em_1']],
      ] as const) {
        server.replies({ kind: 'close-in-body', status: 200, body, contentType: 'application/json' }, good)
        const result = await handle.call(method, args)
        check.equal(`value of ${method}`, valueOf(require, `${method} whose first answer was cut`, result), {
          id: 'em_1',
        })
      }
    },
  }),

  clientCase({
    id: 'client/retries/retries-a-connection-closed-without-an-answer',
    requirements: ['CLI-015'],
    level: 'must',
    title: 'emails.send and emails.get retry after a connection that was closed before an answer',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 2 })
      for (const [method, args] of [
        ['emails.send', [email]],
        ['emails.get', ['em_1']],
      ] as const) {
        const before = server.requests.length
        server.replies({ kind: 'close' }, { kind: 'close' }, good)
        valueOf(require, `${method} whose connection was closed`, await handle.call(method, args))
        check.ok(
          `requests of ${method}`,
          server.requests.length - before >= 3,
          'at least 3',
          server.requests.length - before,
        )
      }
    },
  }),

  // The attempts do not arrive, so their time is compared with that of attempts which are reset.
  clientCase({
    id: 'client/retries/retries-a-refused-connection',
    requirements: ['CLI-015'],
    level: 'must',
    title: 'a refused connection is retried with the same waits as a reset one',
    async run({ client, construct, server, check, require, apiKey }) {
      const lasting = async (handle: ClientHandle, what: string) => {
        const startedAt = performance.now()
        errorOf(require, `emails.send with every connection ${what}`, await send(handle))
        return Math.round(performance.now() - startedAt)
      }
      const refusedOnce = { api_key: apiKey, base_url: server.url, max_retries: 0 }
      server.replies({ kind: 'reset' })
      const resetting = await client({ max_retries: 2 })
      const reset: number[] = []
      for (let count = 0; count < 3; count++) reset.push(await lasting(resetting, 'reset'))
      await server.close()
      const { handle } = await construct({ ...refusedOnce, max_retries: 2 }, {})
      const { handle: withoutRetries } = await construct(refusedOnce, {})
      // A first call may take long for what a library does once.
      await lasting(withoutRetries, 'refused')
      const refused: number[] = []
      const once: number[] = []
      for (let count = 0; count < 3; count++) {
        once.push(await lasting(withoutRetries, 'refused'))
        refused.push(await lasting(handle, 'refused'))
      }
      const medianOf = (times: readonly number[]) => median(times.toSorted((one, other) => one - other))
      const usualMs = medianOf(reset)
      // Another case reports a client that does not wait.
      if (usualMs < 300) return
      // The time of an attempt itself, long on a busy machine, is not a wait.
      const hasWaited = medianOf(refused) - medianOf(once) >= usualMs / 10
      if (!hasWaited && medianOf(once) >= usualMs / 2)
        throw new TooBusy(`a refused attempt itself took ${once.join(', ')} ms`)
      check.ok(
        'milliseconds of calls with every connection refused',
        hasWaited,
        `about ${reset.join(', ')}`,
        `${refused.join(', ')}; without retries ${once.join(', ')}`,
      )
    },
  }),

  ...[400, 401, 403, 404, 408, 409, 413, 422, 425].map((status) =>
    clientCase({
      id: `client/retries/throws-a-${status}-at-once`,
      requirements: ['CLI-020'],
      level: 'must',
      title: `a ${status} is thrown without a second attempt`,
      async run({ client, server, check, require }) {
        server.replies(refusal(status, 'no_use'), good)
        const error = errorOf(require, `emails.send answered ${status}`, await send(await client()))
        check.equal('status of the error', error.status, status)
        check.equal('number of requests', server.requests.length, 1)
      },
    }),
  ),

  clientCase({
    id: 'client/retries/throws-other-errors-at-once-whatever-their-retry-after',
    requirements: ['CLI-020'],
    level: 'must',
    title: 'a 400, 403, 404, 409, 413 or 423 with Retry-After is thrown without a retry',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 2 })
      for (const status of [400, 403, 404, 409, 413, 423]) {
        const before = server.requests.length
        server.replies(refusal(status, 'no_use', { 'retry-after': '0' }), good)
        const what = `emails.send answered ${status} with Retry-After`
        const error = errorOf(require, what, await send(handle))
        check.equal(`status of the error of ${what}`, error.status, status)
        check.equal(`requests of ${what}`, server.requests.length - before, 1)
      }
    },
  }),

  clientCase({
    id: 'client/retries/throws-other-errors-at-once-whatever-their-code',
    requirements: ['CLI-020'],
    level: 'must',
    title: 'a 400 or 409 is thrown without retry, also with a code like rate_limited',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 1 })
      for (const status of [400, 409])
        for (const code of codesOfRetries)
          for (const reply of shapes(status, { code, message: 'It is so.', fix: 'Mend it.' })) {
            const before = server.requests.length
            server.replies(reply, good)
            const what = `emails.send answered ${status} of code ${code}`
            const error = errorOf(require, what, await send(handle))
            check.equal(`status of the error of ${what}`, error.status, status)
            check.equal(`requests of ${what}`, server.requests.length - before, 1)
          }
    },
  }),

  clientCase({
    id: 'client/retries/retries-every-other-5xx',
    requirements: ['CLI-014'],
    level: 'must',
    title: `every other 5xx from ${rareStatuses[0]} to ${rareStatuses.at(-1)} is retried`,
    async run({ client, server, check }) {
      const handle = await client({ max_retries: 1 })
      for (const status of rareStatuses) {
        const before = server.requests.length
        server.replies(refusal(status, 'try_again', { 'retry-after': '0' }), good)
        const result = await send(handle)
        check.equal(`requests of emails.send answered ${status} and then 200`, server.requests.length - before, 2)
        check.equal(`result after a ${status} and a 200`, result.kind === 'value' ? 'a value' : result, 'a value')
      }
    },
  }),

  // Without a Location there is nowhere to go, so that no library follows them.
  ...(['must', 'should'] as const).map((level) =>
    clientCase({
      id: `client/retries/throws-a-3xx-${level === 'must' ? 'at-once' : 'without-a-location-at-once'}`,
      requirements: ['CLI-020'],
      level,
      title: `a ${redirects[level].slice(0, -1).join(', ')} or ${redirects[level].at(-1)} without Location is thrown without retry`,
      async run({ client, server, check, require }) {
        const handle = await client({ max_retries: 2 })
        for (const status of redirects[level]) {
          const before = server.requests.length
          server.replies({ kind: 'empty', status, headers: status === 304 ? {} : { 'content-length': '0' } })
          errorOf(require, `emails.get answered ${status}`, await handle.call('emails.get', ['em_1']))
          check.equal(`requests of emails.get answered ${status}`, server.requests.length - before, 1)
        }
      },
    }),
  ),

  clientCase({
    id: 'client/retries/retries-twice-by-default',
    requirements: ['CLI-008', 'CLI-057'],
    level: 'must',
    title: 'without maxRetries there are three attempts, and the error of the last one is thrown',
    async run({ client, server, check, require }) {
      // Control: an allowed retry is made.
      server.replies(refusal(500, 'try_again'), good)
      valueOf(
        require.of('CLI-014'),
        'emails.send answered 500 and then 200',
        await send(await client({ max_retries: 2 })),
      )
      const before = server.requests.length
      server.replies(refusal(500, 'first'), refusal(502, 'second'), refusal(503, 'third'), good)
      const error = errorOf(require.of('CLI-008'), 'emails.send answered 500, 502 and 503', await send(await client()))
      check.of('CLI-008').equal('number of requests', server.requests.length - before, 3)
      check.of('CLI-057').equal('status of the error', error.status, 503)
    },
  }),

  ...[0, 1, 4].map((maxRetries) =>
    clientCase({
      id: `client/retries/obeys-max-retries-${maxRetries}`,
      requirements: ['CLI-007'],
      level: 'must',
      title: `with maxRetries ${maxRetries} a call has ${maxRetries + 1} ${maxRetries === 0 ? 'attempt' : 'attempts'}`,
      timeoutMs: 120_000,
      async run({ client, server, check, require }) {
        server.replies(refusal(503, 'try_again'))
        errorOf(require, 'emails.send answered 503', await send(await client({ max_retries: maxRetries })))
        const { length } = server.requests
        // Control: if nothing at all is retried, the number of retries proves nothing.
        if (maxRetries > 0 && length === 1)
          require.of('CLI-014').fail('requests of emails.send answered 503', 'at least 2', length)
        check.equal('number of requests', length, maxRetries + 1)
      },
    }),
  ),

  clientCase({
    id: 'client/retries/does-not-repeat-a-creating-post-after-a-server-error',
    requirements: ['CLI-061'],
    level: 'must',
    title: 'creating a webhook is not retried after a 500, where sending an email is',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 2 })
      server.replies(refusal(500, 'try_again'), good)
      valueOf(require.of('CLI-014'), 'emails.send answered 500 and then 200', await send(handle))
      const before = server.requests.length
      for (const status of [500, 503]) {
        const start = server.requests.length
        server.replies(
          refusal(status, 'broken'),
          json(201, {
            id: 'whk_1',
            url: 'https://a.example/',
            event_types: ['*'],
            inbox_id: null,
            secret: 'whsec_AAAA',
          }),
        )
        const error = errorOf(
          require,
          `webhooks.create answered ${status}`,
          await handle.call('webhooks.create', [{ url: 'https://a.example/' }]),
        )
        check.equal('status of the error', error.status, status)
        check.equal(`requests of webhooks.create answered ${status}`, server.requests.length - start, 1)
      }
      check.equal('requests of emails.send', before, 2)
    },
  }),

  clientCase({
    id: 'client/retries/keeps-the-order-of-its-answers',
    requirements: ['CLI-053', 'CLI-028'],
    level: 'must',
    title: 'ten calls side by side each get their own answer, each sent once',
    async run({ client, server, check }) {
      server.script((received) =>
        json(200, { id: `em_${String((received.json as { subject?: string } | undefined)?.subject)}` }),
      )
      const handle = await client()
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => handle.call('emails.send', [{ ...email, subject: String(index) }])),
      )
      check.of('CLI-028').equal(
        'values',
        results.map((result) => (result.kind === 'value' ? result.value : result)),
        results.map((_, index) => ({ id: `em_${index}` })),
      )
      check.of('CLI-053').equal('number of requests', server.requests.length, 10)
    },
  }),
]
