// `messages.wait`, whose path is not shown. The interface names no inbox; a library may need one, and gets one if it sends no request without it.

import { refusal, type ClientContext } from '../../../harness/authoring.js'

export const method = 'messages.wait'

/** Returns arguments with which the library sends a request: a filter and seconds, after an inbox if it needs that. */
export async function argumentsFor(
  { client, server, skip }: Pick<ClientContext, 'client' | 'server' | 'skip'>,
  seconds: number,
): Promise<readonly unknown[]> {
  const requested = { from: 'verify@sender.example', timeout: seconds }
  for (const args of [[requested], ['ibx_1', requested]]) {
    server.replies(refusal(403, 'no_use'))
    const before = server.requests.length
    await (await client({ max_retries: 0 })).call(method, args)
    if (server.requests.length > before) return args
  }
  return skip('messages.wait of this library sends nothing, with a filter and time alone or after an inbox')
}
