/** An address that the configuration names could not be listened on; `cause` is the system's error. */
export class ListenRefused extends Error {
  override readonly name = 'ListenRefused'
  /** What names the address: `receiver.listen`. */
  readonly setting: string
  readonly host: string
  readonly port: number

  constructor(setting: string, place: { readonly host: string; readonly port: number }, cause: unknown) {
    super(`${setting}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.setting = setting
    this.host = place.host
    this.port = place.port
  }
}

/** What `start` starts; throws {@link ListenRefused} where it cannot. */
export async function listeningAs<T>(
  setting: string,
  place: { readonly host: string; readonly port: number },
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new ListenRefused(setting, place, error)
  }
}
