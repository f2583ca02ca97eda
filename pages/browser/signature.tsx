import type { JSX } from 'preact'
import { counted, visible } from './text.js'

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly base64?: string
}

/** The signed content of a delivery, its time, and each entry of its signature; nothing where it has none. */
export function SignatureParts({ headers, body = '', base64 }: Message): JSX.Element | null {
  const names = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const family = ['webhook', 'svix'].find((prefix) => names.has(`${prefix}-signature`))
  if (family === undefined) return null
  const of = (part: string) => names.get(`${family}-${part}`)
  const [id, timestamp, signature = ''] = [of('id'), of('timestamp'), of('signature')]
  const bytes = base64 === undefined ? new TextEncoder().encode(body).length : Math.floor((base64.length * 3) / 4)
  const entries = signature.split(' ').filter((entry) => entry !== '')
  return (
    <dl class="signature">
      <dt>Signed</dt>
      <dd>
        <code>
          {visible(id ?? '(no id)')}.{visible(timestamp ?? '(no timestamp)')}.
        </code>{' '}
        and the body of {counted(bytes, 'byte')}
      </dd>
      <dt>Timestamp</dt>
      <dd>{dateOf(timestamp)}</dd>
      <dt>{counted(entries.length, 'signature')}</dt>
      <dd>
        {entries.map((entry) => {
          const [version = '', ...value] = entry.split(',')
          return (
            <div>
              <b>{visible(value.length === 0 ? 'no version' : version)}</b>{' '}
              <code>{visible(value.length === 0 ? version : value.join(','))}</code>
            </div>
          )
        })}
      </dd>
    </dl>
  )
}

/** Unix seconds as a date. */
function dateOf(timestamp: string | undefined): string {
  if (timestamp === undefined) return 'none'
  const date = new Date(Number(timestamp) * 1000)
  if (!/^\d+$/.test(timestamp) || Number.isNaN(date.getTime())) return `${visible(timestamp)}, not Unix seconds`
  return `${date.toISOString().replace('T', ' ').replace('.000Z', ' UTC')}`
}
