import type { JSX } from 'preact'
import { Body } from './body.js'
import { Block } from './parts.js'
import { SignatureParts } from './signature.js'

/** A request or an answer: its first line, its headers, its body, and the parts of its signature, if it has one. */
export function Message(props: {
  /** The method and the address, or the status. */
  readonly first: string
  readonly headers: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  /** The bytes of a body that is not UTF-8. */
  readonly base64?: string | undefined
}): JSX.Element {
  const { first, headers, body, base64 } = props
  const entries: readonly (readonly [string, string])[] = Array.isArray(headers) ? headers : Object.entries(headers)
  const content = { ...(body === undefined ? {} : { body }), ...(base64 === undefined ? {} : { base64 }) }
  return (
    <>
      <Block text={[first, ...entries.map(([name, value]) => `${name}: ${value}`)].join('\n')} />
      <Body {...content} />
      <SignatureParts headers={Object.fromEntries(entries)} {...content} />
    </>
  )
}
