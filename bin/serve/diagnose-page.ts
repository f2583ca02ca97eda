import { loadScheme, schemeNames, type SchemeData } from '../../fixtures/index.js'
import type { DiagnoseNews, KeptRequest } from '../../pages/data.js'
import { startTokenPage } from '../page/token-page.js'

/** Requests that the page keeps; the oldest are forgotten first. */
const maxKept = 200
/** Bytes of a body that is kept: the search in a longer one takes minutes and finds nothing. */
const maxBody = 256 * 1024

/** A request as it arrived. */
interface Arrived {
  readonly label: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** The page that finds why a signature does not match: the browser searches, and no request is sent anywhere. */
export interface DiagnosePage {
  readonly url: string
  /** Keeps a request. Returns the address that opens it; undefined where its body is longer than 256 KB. */
  add(request: Arrived): string | undefined
  close(): Promise<void>
}

/** Starts the page, its form filled with `secrets` and `scheme`: without one, the signature of the interface. */
export async function startDiagnosePage(options: {
  readonly secrets: readonly string[]
  readonly scheme: SchemeData | undefined
}): Promise<DiagnosePage> {
  const { secrets, scheme } = options
  const builtIn = schemeNames()
    .filter((name) => name !== scheme?.name)
    .map(loadScheme)
  const schemes = scheme === undefined ? builtIn : [scheme, ...builtIn]
  const requests: KeptRequest[] = []
  const followers = new Set<(news: DiagnoseNews) => void>()
  let count = 0
  const page = await startTokenPage<DiagnoseNews>({
    page: 'diagnose',
    title: 'Diagnose a signature',
    follow(follower) {
      followers.add(follower)
      follower({ kind: 'all', schemes, scheme: scheme?.name ?? '', secrets, requests })
      return () => void followers.delete(follower)
    },
  })
  return {
    url: page.url,
    add({ label, headers, body }) {
      if (body.length > maxBody) return undefined
      count++
      const request: KeptRequest = {
        number: count,
        label,
        headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
        bodyBase64: Buffer.from(body).toString('base64'),
      }
      requests.unshift(request)
      requests.length = Math.min(requests.length, maxKept)
      for (const follower of followers) follower({ kind: 'request', request })
      return `${page.url}#${count}`
    },
    close: () => page.close(),
  }
}
