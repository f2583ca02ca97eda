import type { Answer } from './answer.js'
import type { AttemptRecord } from './attempt.js'
import type { KeyAndCertificate } from './certificate.js'

/** What the thread of the sink listens on. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Accepts plain HTTP as well as TLS: a tunnel or proxy in front of the sink may end TLS, or pass it on. */
  readonly takesPlain: boolean
  /** Reports requests for unknown paths too and leaves their answer to the sink; without it they get 410. */
  readonly takesStrays: boolean
  readonly key: string
  readonly cert: string
  /** Certificates by kind: a client that names a host with the kind as its second label is shown that one. */
  readonly unfit: Readonly<Record<string, KeyAndCertificate>>
  /** The number of connections so far, and the number of the oldest that is still being made: the same if there is none. */
  readonly greeting: Int32Array<SharedArrayBuffer>
}

/** The first attempt gets the first answer, and so on; the last one stays. `asked`: the sink decides each answer. */
export type Script = readonly Answer[] | 'asked'

/** Messages from the sink to its thread. Those sent before an attempt was caused are processed before it arrives. */
export type ToThread =
  | { readonly kind: 'endpoint'; readonly path: string; readonly closes: boolean }
  | { readonly kind: 'script'; readonly path: string; readonly script: Script }
  | { readonly kind: 'answer'; readonly attempt: number; readonly answer: Answer }
  /** Later requests do not repeat the earlier ones. */
  | { readonly kind: 'settled'; readonly path: string }
  | { readonly kind: 'forget'; readonly path: string }
  | { readonly kind: 'catch-up'; readonly round: number }
  | { readonly kind: 'close' }

/** Messages from the thread. An attempt is reported before its answer is written. */
export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | undefined }
  | {
      readonly kind: 'attempt'
      /** Absent for an unknown path. */
      readonly path: string | undefined
      readonly attempt: number
      readonly record: AttemptRecord
      /** Its answer; absent if the sink decides. */
      readonly answer?: Answer
    }
  /** A sender ended the TLS handshake, with this reason: no attempt follows. */
  | { readonly kind: 'handshake-refused'; readonly reason: string }
  /** An immediate answer left this many milliseconds after the sender had begun to connect or to send. */
  | { readonly kind: 'late'; readonly path: string; readonly ms: number }
  | { readonly kind: 'closed'; readonly attempt: number; readonly at: number; readonly wasGivenUp: boolean }
  /** One more, or fewer, request with an incomplete slow body. */
  | { readonly kind: 'slow'; readonly path: string | undefined; readonly more: 1 | -1 }
  /** A request broke off before the end of its body: no attempt follows. */
  | { readonly kind: 'broken-off'; readonly how: string }
  | { readonly kind: 'caught-up'; readonly round: number }
  | { readonly kind: 'ended' }
