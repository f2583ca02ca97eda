/** What a driver said to one request, or why it said nothing. */
export type DriverReply =
  | { readonly kind: 'answer'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unsupported'; readonly why: string }
  /** The process ended before it answered. */
  | { readonly kind: 'died'; readonly how: string; readonly stderr: string }
  | { readonly kind: 'silent'; readonly afterMs: number }
  /** It wrote something that is no answer. */
  | { readonly kind: 'garbage'; readonly line: string }

/** Time a driver has to start, in milliseconds: some commands compile first. */
export const startsWithinMs = 30_000

/** A driver that can be asked: a process, or a function of this process. */
export interface DriverLink {
  readonly isAlive: boolean
  /** Sends one request; resolves to the answer, or to why there is none within `withinMs`. */
  ask(request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply>
  kill(): void
  close(): Promise<unknown>
}

/** How drivers are started, and how they are called in a message. */
export interface DriverSource {
  readonly label: string
  readonly start: () => DriverLink
}
