import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hexDump } from './hex-dump.js'
import { Block, Choice } from './parts.js'
import { bytesOf, shortened } from './text.js'

/** Characters of a body that are shown. */
const maxCharacters = 16_000

const ways = { text: 'Text', json: 'JSON', bytes: 'Bytes' } as const

/** A body of a request or an answer: as text, as JSON where it is some, as bytes. */
export function Body({ body, base64 }: { readonly body?: string; readonly base64?: string }): JSX.Element | null {
  const [way, setWay] = useState<keyof typeof ways>(base64 === undefined ? 'text' : 'bytes')
  if (base64 === undefined && (body === undefined || body === '')) return null
  const bytes = base64 === undefined ? new TextEncoder().encode(body) : bytesOf(base64)
  const text = body ?? new TextDecoder().decode(bytes)
  // A body that was cut when it was recorded contains its size.
  const isCut = /… \(\d+ bytes\)$/.test(text.slice(-40))
  const json = isCut ? undefined : indented(text)
  const shown = way === 'bytes' ? hexDump(bytes) : way === 'json' && json !== undefined ? json : text
  const offered = json === undefined ? { text: ways.text, bytes: ways.bytes } : ways
  return (
    <div class="body">
      <p class="small">
        <Choice label="Show the body as" values={offered} value={way} onChoose={setWay} />{' '}
        {isCut ? '' : `${bytes.length} bytes${base64 === undefined ? '' : ', not UTF-8'}`}
      </p>
      <Block text={shortened(shown, maxCharacters)} />
      {shown.length > maxCharacters ? <p class="small">Cut here; the JSON report has the rest.</p> : null}
    </div>
  )
}

function indented(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}
