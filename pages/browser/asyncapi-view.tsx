import type { JSX } from 'preact'
import { listOf, nodeOf, resolved, Schema, textOf, type Node } from './openapi-view.js'
import { Opening, Sentence, useJson } from './parts.js'

/** What the service sends: each channel with its messages, from the AsyncAPI document. */
export function AsyncapiView({ address }: { readonly address: string }): JSX.Element {
  const spec = useJson<Node>(address)
  if (spec === undefined) return <p role="status">Loading</p>
  return (
    <section class="api" aria-label="Stream and deliveries">
      {Object.entries(nodeOf(spec['channels'])).map(([name, value]) => {
        const channel = nodeOf(value)
        return (
          <>
            <h2>{textOf(channel['title'])}</h2>
            <p>
              <Sentence text={textOf(channel['description'])} />
            </p>
            {Object.values(nodeOf(channel['messages'])).map((message) => (
              <Message spec={spec} channel={name} message={resolved(spec, message)} />
            ))}
          </>
        )
      })}
    </section>
  )
}

interface MessageProps {
  readonly spec: Node
  readonly channel: string
  readonly message: Node
}

function Message({ spec, channel, message }: MessageProps): JSX.Element {
  const name = textOf(message['name'])
  const label = (
    <>
      <b class="method">{channel === 'stream' ? 'FRAME' : 'POST'}</b> <code>{name}</code>{' '}
      <span class="small">{textOf(message['summary'])}</span>
    </>
  )
  return (
    <Opening class="operation" label={label}>
      {() => (
        <>
          {listOf(message['traits']).map((trait) => (
            <>
              <h3>Headers</h3>
              <Schema
                spec={spec}
                label={`Headers of ${name}`}
                content={{ headers: { schema: resolved(spec, trait)['headers'] } }}
              />
            </>
          ))}
          <h3>Body</h3>
          <Schema
            spec={spec}
            label={`Body of ${name} (${channel})`}
            content={{ body: { schema: message['payload'] } }}
          />
        </>
      )}
    </Opening>
  )
}
