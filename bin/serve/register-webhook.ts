// A receiver that runs with the server, and a webhook that leads to it.
import { memberOf } from '../../harness/parsing.js'
import { UsageError } from '../cli/usage.js'

/** Creates a webhook on the server for all events, and resolves to its secret. */
export async function registerWebhook(
  url: string,
  server: { readonly url: string; readonly apiKey: string },
): Promise<string> {
  const answer = await fetch(`${server.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  const secret = memberOf(await answer.json(), 'secret')
  if (typeof secret !== 'string')
    throw new UsageError(
      `--with-receiver: the server does not accept a webhook on ${url} (${answer.status}); try it without --mutant`,
    )
  return secret
}
