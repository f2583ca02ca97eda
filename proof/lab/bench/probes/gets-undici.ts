// GETs one after the other with undici alone; prints the milliseconds of the loop.
import { Agent } from 'undici'

const [url = '', count = '0'] = process.argv.slice(2)
const agent = new Agent()
const { origin } = new URL(url)
const began = performance.now()
for (let index = 0; index < Number(count); index++) {
  const answer = await agent.request({ origin, path: '/v1/events', method: 'GET' })
  const page = (await answer.body.json()) as { data?: unknown }
  if (answer.statusCode !== 200 || !Array.isArray(page.data)) throw new Error('the answer is wrong')
}
process.stdout.write(String(performance.now() - began))
await agent.close()
