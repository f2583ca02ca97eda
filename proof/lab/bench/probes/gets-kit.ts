// The same with the harness's client and the checks that are always on; prints the milliseconds of the loop.
import { createChecks } from '../../../../harness/check.js'
import { Secrets } from '../../../../harness/secrets.js'
import { alwaysOn } from '../../../../harness/service/always-on.js'
import { Api } from '../../../../harness/service/api.js'
import { Observations } from '../../../../harness/service/watch.js'
import { Evidence } from '../../../../harness/wire/evidence.js'
import { HttpClient } from '../../../../harness/wire/http-client.js'

const [baseUrl = '', count = '0'] = process.argv.slice(2)
const observations = new Observations()
const watch = alwaysOn({ observations, secrets: new Secrets(), caseId: 'bench' })
const http = new HttpClient()
const api = new Api({
  http,
  baseUrl,
  key: 'key_bench',
  evidence: new Evidence(),
  signal: new AbortController().signal,
  observe: (exchange, operation) => watch.exchange(exchange, operation),
})
const check = createChecks((mismatch) => {
  throw new Error(JSON.stringify(mismatch))
})
const began = performance.now()
for (let index = 0; index < Number(count); index++) {
  const page = await api.pollEvents()
  check.status(page, [200])
  check.ok('data', Array.isArray(page.field('data')), 'a list', page.field('data'))
}
process.stdout.write(String(performance.now() - began))
if (observations.of('POL-007').sightings.length > 0) throw new Error('the page is against the OpenAPI document')
await http.close()
