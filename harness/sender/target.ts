import type { SignatureScheme } from '../schemes/scheme.js'
import type { HeaderFamily } from '../wire/header-family.js'

export type SenderProfile = 'interface' | 'standard-webhooks'

/** Makes the sender send one event of a type (empty: any) to a URL; may go on while its delivery is under way. Rejects where it cannot. */
export type SenderTrigger = (event: { readonly type: string; readonly url: string }) => void | Promise<void>

/** A program that sends webhooks, and how it is made to. */
export interface SenderTarget {
  /** The one the sender signs with, `whsec_…` in the interface. Of an Ed25519 key also the public one. */
  readonly secret: string
  readonly listen: { readonly host: string; readonly port: number }
  /** Where the sender reaches the listener, where that is another address. */
  readonly publicUrl?: string
  /** Makes the sender send one event: a command, or a function of this process; without it a person does. */
  readonly trigger?: string | SenderTrigger
  /** The certificate of the listener, in PEM; one is made where absent. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Called with the authority of the new certificate, before the first event is triggered. */
  readonly onAuthority?: (pem: string) => void
  readonly profile: SenderProfile
  /** Delays before attempts 2, 3, …, in milliseconds; undefined if no retries are expected. */
  readonly schedule?: readonly number[]
  /** Attempts watched. */
  readonly retryDepth: number
  readonly headerNames: HeaderFamily
  /** The signature scheme (default: that of the interface); with the profile `standard-webhooks`. */
  readonly scheme?: SignatureScheme
  /** Longest wait for the first attempt of an event, in milliseconds. */
  readonly patienceMs?: number
  /** Prints instructions and progress for the person at the keyboard. */
  readonly print?: (line: string) => void
}
