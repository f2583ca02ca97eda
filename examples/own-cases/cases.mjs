// A team's own cases: its requirements for its service and its endpoints beyond the interface. Pass the file to `--cases`.
import { receiverCase, serviceCase } from 'webhook-conformance/authoring'

/** The sentences. Ids begin with X-; the source of a sentence is for people. */
export const requirements = {
  'X-ACME-001': {
    level: 'must',
    text: 'Every answer of the API carries a header x-request-id.',
    source: 'handbook, part 3',
  },
  'X-ACME-002': { level: 'should', text: 'A webhook endpoint answers a delivery with an empty body.' },
}

export const cases = [
  serviceCase({
    id: 'service/acme/answers-with-a-request-id',
    requirements: ['X-ACME-001'],
    level: 'must',
    title: 'an answer of the API carries x-request-id',
    async run({ openSandbox, check }) {
      const { api } = (await openSandbox()).project
      const answer = await api.listWebhooks()
      check.ok(
        'header x-request-id of GET /v1/webhooks',
        answer.header('x-request-id') !== undefined,
        'some value',
        'none',
      )
    },
  }),

  // One more question on a sentence of the interface.
  serviceCase({
    id: 'service/acme/keeps-the-query-of-a-url',
    requirements: ['WHK-005'],
    level: 'must',
    title: 'a url with a query is given back whole',
    async run({ openSandbox, check, publicUrl }) {
      const { api } = (await openSandbox()).project
      const url = `${publicUrl()}?tenant=7&tag=a%20b`
      const created = await api.createWebhook({ url })
      check.equal('url', created.field('url'), url)
    },
  }),

  receiverCase({
    id: 'receiver/acme/answers-with-an-empty-body',
    requirements: ['X-ACME-002'],
    level: 'should',
    title: 'a valid delivery is answered with an empty body',
    async run({ accepts, delivery, check }) {
      const answer = await accepts(delivery())
      check.equal('body of the answer', answer.text, '')
    },
  }),
]
