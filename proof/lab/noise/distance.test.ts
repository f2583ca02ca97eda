import { expect, onTestFinished, test } from 'vitest'
import { concurrency, connectService } from '../../../harness/service/index.js'
import { startReferenceServer } from '../../../reference/server/index.js'
import { referenceTarget } from '../../../bin/reference/target.js'
import { disturbances } from './disturbances.js'
import { startProxy } from './proxy.js'

test.each([
  ['nearby', 'none', concurrency.isolated],
  ['300 ms away', 'latency-300', concurrency.waiting],
])('as many cases run concurrently on a target %s as this machine has time for', async (_, id, count) => {
  const server = await startReferenceServer({ control: true })
  onTestFinished(() => server.close())
  const noise = disturbances.find((disturbance) => disturbance.id === id)?.start({ url: server.url }, 1)
  const proxy = await startProxy({ url: server.url }, noise ?? { hits: () => 0 })
  onTestFinished(() => proxy.close())
  const { apiKey, controlKey = '' } = server
  const facts = { url: proxy.url, apiKey, controlUrl: `${proxy.url}/_control`, controlKey }
  const subject = await connectService(referenceTarget(facts))
  onTestFinished(() => subject.close())
  expect(subject.concurrency).toBe(count)
})
