// One delivery at the shell: signed, or sent.
import { Secrets } from '../../harness/safe-text.js'
import { accessOf, refuseSignedHeaders } from '../cli/access.js'
import { writeOutput } from '../cli/output.js'
import { postDelivery } from '../cli/post-delivery.js'
import { readSettings } from '../cli/settings.js'
import { deliveryOf } from '../cli/signed-delivery.js'
import { exitCodes, httpUrl, oneOf, UsageError } from '../cli/usage.js'
import { textFormats } from '../cli/option-values.js'

type Flags = Readonly<Record<string, unknown>>

/** `conformance sign`: the three headers of a body. */
export async function sign(flags: Flags): Promise<number> {
  const settings = readSettings('sign', flags)
  const delivery = await deliveryOf(settings, 'sign')
  const headers = Object.entries(delivery.headers).filter(([name]) => name !== 'content-type')
  const format = oneOf('--format', settings.text('format') ?? 'text', textFormats)
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join('')
  writeOutput(format === 'json' ? `${JSON.stringify(Object.fromEntries(headers), null, 2)}\n` : lines)
  return exitCodes.conformant
}

/** `conformance send`: one valid delivery to an endpoint; 0 where it is answered with a 2xx. */
export async function send(flags: Flags): Promise<number> {
  const settings = readSettings('send', flags)
  const url = settings.text('url')
  if (url === undefined) throw new UsageError('send needs an endpoint: --url <url>')
  httpUrl('--url', url)
  if (settings.list('from').length > 0) return (await import('./resend.js')).resend(settings, url)
  for (const name of ['delivery', 'sign-with', 'as-is'] as const)
    if (settings.source(name) !== undefined)
      throw new UsageError(`--${name} is for recorded deliveries: name their file with --from <file>`)
  const delivery = await deliveryOf(settings, 'send')
  const access = accessOf(settings, url)
  refuseSignedHeaders(access.headers ?? {})
  const secrets = new Secrets()
  secrets.add(delivery.fields.secret)
  for (const value of Object.values(access.headers ?? {})) secrets.addHeader(value)
  const { HttpClient } = await import('../../harness/service-calls.js')
  const http = new HttpClient({ access })
  try {
    const { headers, fields } = delivery
    return await postDelivery(http, { url, headers, body: fields.body, id: fields.id, secrets })
  } finally {
    await http.close()
  }
}
