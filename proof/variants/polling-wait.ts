import type { Patch } from '../patching/patch.js'

/** The wait of a library that polls for messages. */
interface Polling {
  /** Milliseconds of a second. */
  readonly secondMs?: number
  /** Whether a message is one that is waited for, in JavaScript. */
  readonly isMatch?: string
  /** The return value when nothing arrived, in JavaScript. */
  readonly nothing?: string
}

/** Returns a `messages.wait` that polls the list of messages every 200 ms, with its own filter and time. */
export function waitsByPolling({
  secondMs = 1_000,
  isMatch = 'asked.from === undefined || String(each.from).includes(asked.from)',
  nothing = 'null',
}: Polling = {}): readonly [Patch, Patch] {
  const paths: Patch = {
    file: 'client/policy/requests.ts',
    find: 'unshownPaths: {}',
    replace: "unshownPaths: { 'messages.list': { method: 'GET', path: '/v1/messages', argument: 'query' } }",
  }
  const wait: Patch = {
    file: 'client/client.ts',
    find: 'Object.assign(this, createUnshown(call, settings.policy.unshownPaths))',
    replace: `const { messages = {}, ...others } = createUnshown(call, settings.policy.unshownPaths)
const wait = async (...given) => {
  const [asked = {}, options = {}] = given
  const until = Date.now() + Math.min(asked.timeout ?? 120, 120) * ${secondMs}
  for (;;) {
    const page = JSON.parse(JSON.stringify((await messages['list']({ limit: 10 }, options)) ?? null))
    const found = (page?.data ?? []).find((each) => ${isMatch})
    if (found !== undefined) return found
    if (Date.now() >= until) return ${nothing}
    await settings.runtime.wait(200, options.signal)
    if (options.signal?.aborted) return null
  }
}
Object.assign(this, { ...others, messages: { ...messages, wait } })`,
  }
  return [paths, wait]
}
