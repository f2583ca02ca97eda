import type { Answer } from './answer.js'
import type { AttemptRecord } from './attempt.js'
import type { KeyAndCertificate } from './certificate.js'

/** What the thread of the sink listens on. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Takes plain HTTP beside TLS: a tunnel or proxy in front of the sink may end TLS, or pass it on. */
  readonly takesPlain: boolean
  /** What comes for a path that is no endpoint's is told too, and the sink is asked for its answer; 410 where not. */
  readonly takesStrays: boolean
  readonly key: string
  readonly cert: string
  /** What is shown to who asks for a name whose second label is the name of one of these. */
  readonly unfit: Readonly<Record<string, KeyAndCertificate>>
  /** How many connections have come, and which is the oldest that is still being made: their number where none is. */
  readonly greeting: Int32Array<SharedArrayBuffer>
}

/** The first attempt gets the first answer, and so on; the last one stays. `asked`: the sink is asked for each. */
export type Script = readonly Answer[] | 'asked'

/** What the sink tells its thread. What was told before an attempt was caused is known when it arrives. */
export type ToThread =
  | { readonly kind: 'endpoint'; readonly path: string; readonly closes: boolean }
  | { readonly kind: 'script'; readonly path: string; readonly script: Script }
  | { readonly kind: 'answer'; readonly attempt: number; readonly answer: Answer }
  /** What is sent from now on is none of the requests before. */
  | { readonly kind: 'settled'; readonly path: string }
  | { readonly kind: 'forget'; readonly path: string }
  | { readonly kind: 'catch-up'; readonly round: number }
  | { readonly kind: 'close' }

/** What the thread tells. An attempt is told before its answer is written. */
export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | undefined }
  | {
      readonly kind: 'attempt'
      /** Absent where it came for no endpoint's path. */
      readonly path: string | undefined
      readonly attempt: number
      readonly record: AttemptRecord
      /** What it is answered with; absent where the sink is asked. */
      readonly answer?: Answer
    }
  /** A sender ended the TLS handshake, with this reason: no attempt comes of it. */
  | { readonly kind: 'handshake-refused'; readonly reason: string }
  /** An answer that was to be written at once left so long after the sender had begun to connect or to ask. */
  | { readonly kind: 'late'; readonly path: string; readonly ms: number }
  | { readonly kind: 'closed'; readonly attempt: number; readonly at: number; readonly wasGivenUp: boolean }
  /** So many more, or fewer, requests are here but for the end of a body that comes slowly. */
  | { readonly kind: 'slow'; readonly path: string | undefined; readonly more: 1 | -1 }
  /** A request broke off before its body was whole: no attempt comes of it. */
  | { readonly kind: 'broken-off'; readonly how: string }
  | { readonly kind: 'caught-up'; readonly round: number }
  | { readonly kind: 'ended' }
