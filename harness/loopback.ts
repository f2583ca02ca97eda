import { BlockList, Socket, isIP, type NetConnectOpts } from 'node:net'

/** A connection outside 127.0.0.0/8 and [::1] was attempted while the loopback guard was installed. */
class LoopbackViolation extends Error {
  override readonly name = 'LoopbackViolation'
  readonly host: string

  constructor(host: string) {
    super(`connection to ${host} refused: this process may connect to loopback only`)
    this.host = host
  }
}

let isInstalled = false

/** By Node's rules what holds of an IPv4 address holds of its mapped form too, in any spelling. */
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Makes every outgoing TCP connection of this process throw {@link LoopbackViolation} unless it goes to loopback.
 * A name may be dialled only when it is `localhost`; other names are dialled through a pinned address, which is checked.
 * Installed by tests and by every run on the reference, so that no case and no mutant can reach another machine.
 */
export function installLoopbackGuard(): void {
  if (isInstalled) return
  isInstalled = true
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]): Socket {
    for (const host of hostsOf(args)) if (!isLoopback(host)) throw new LoopbackViolation(host)
    return Reflect.apply(connect, this, args) as Socket
  } as typeof connect
}

/** Whether `host` is `localhost`, an address of 127.0.0.0/8, `::1`, or the IPv4-mapped form of a loopback address. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const version = isIP(bare)
  return version === 0 ? bare === 'localhost' : loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6')
}

function hostsOf(args: readonly unknown[]): string[] {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) {
    const options = first as NetConnectOpts & { path?: string; host?: string }
    return options.path === undefined ? [options.host ?? 'localhost'] : []
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return []
  return [typeof second === 'string' ? second : 'localhost']
}
