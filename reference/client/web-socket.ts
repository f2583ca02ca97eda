/** The part of a WebSocket that the stream uses; the global one and that of the package `ws` have it. */
export interface WebSocketLike {
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void
  close(): void
}

export type WebSocketConstructor = new (url: string) => WebSocketLike
