import { isIPv6 } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Access } from '../../harness/service-calls.js'
import { quoted } from './command-line.js'
import type { OptionName } from './options.js'
import { isGiven, readFile, type Settings } from './settings.js'
import { UsageError } from './usage.js'
import { invocation } from './invocation.js'

/** Options that name a file in PEM. */
const pemOptions = ['ca', 'client-cert', 'client-key'] as const

/** Headers that the interface has a use for itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
])

/** `--header`, `--insecure`, `--ca`, `--client-cert`, `--client-key`, and the proxy of the environment, for the target at `url`. */
export function accessOf(settings: Settings, url: string): Access {
  const ca = pem(settings, 'ca')
  const [cert, key] = [pem(settings, 'client-cert'), pem(settings, 'client-key')]
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--client-cert and --client-key belong together: give both')
  const client = cert === undefined || key === undefined ? undefined : { cert, key }
  readable(settings, { ca, client })
  const proxy = proxyFor(url, invocation().env)
  return {
    headers: headersOf(settings),
    insecure: settings.isOn('insecure'),
    ...(ca === undefined ? {} : { ca }),
    ...(client === undefined ? {} : { client }),
    ...(proxy === undefined ? {} : { proxy }),
  }
}

/** Headers of the transport, which the HTTP client sets itself. */
const ofTransport: ReadonlySet<string> = new Set(['expect', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** `--header`, by lower-case name. */
function headersOf(settings: Settings): Readonly<Record<string, string>> {
  return Object.fromEntries(settings.list('header').map(headerOf))
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  const value = text.slice(colon + 1).trim()
  if (colon < 1 || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new UsageError(`--header${colon < 1 ? '' : ` ${text.slice(0, colon)}`}: expected "name: value"${colon < 1 ? ', with a colon after the name' : ''}`) // prettier-ignore
  if (ofTransport.has(name.toLowerCase()))
    throw new UsageError(`--header ${name}: the connection sets this header itself; leave it out`)
  return [name.toLowerCase(), value]
}

/** Refuses headers that the requests of a service run set themselves. */
export function refuseOwnHeaders(headers: Readonly<Record<string, string>>): void {
  const own = Object.keys(headers).find((name) => ownHeaders.has(name))
  if (own === 'authorization') throw new UsageError('--header authorization: the key is given by --api-key')
  if (own !== undefined) throw new UsageError(`--header ${own}: each request sets this header itself; leave it out`)
}

/** Refuses headers that every delivery has itself: those by which a receiver judges it, and what its body is. */
export function refuseSignedHeaders(headers: Readonly<Record<string, string>>): void {
  const own = Object.keys(headers).find((name) =>
    /^(webhook|svix)-(id|timestamp|signature)$|^content-(length|type)$/.test(name),
  )
  if (own !== undefined) throw new UsageError(`--header ${own}: each delivery sets this header itself; leave it out`)
}

/** Returns the options for the same access, for a command that runs again; header values are variables. */
export function accessWords(settings: Settings): string[] {
  const files = pemOptions.filter((name) => isGiven(settings, name))
  const headers = isGiven(settings, 'header') ? Object.keys(headersOf(settings)) : []
  return [
    ...headers.map((name) => `--header "${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"`),
    ...(isGiven(settings, 'insecure') && settings.isOn('insecure') ? ['--insecure'] : []),
    ...files.map((name) => `--${name} ${quoted(settings.text(name) ?? '')}`),
  ]
}

function pem(settings: Settings, name: OptionName): string | undefined {
  const path = settings.path(name)
  if (path === undefined) return undefined
  const text = readFile(`--${name}`, path)
  if (!text.includes('-----BEGIN ')) throw new UsageError(`--${name} ${path}: expected a file in PEM (-----BEGIN …)`)
  return text
}

function readable(
  settings: Settings,
  { ca, client }: Pick<{ [K in keyof Access]: Access[K] | undefined }, 'ca' | 'client'>,
): void {
  try {
    createSecureContext({ ...(ca === undefined ? {} : { ca }), ...client })
  } catch (error) {
    const names = pemOptions.filter((name) => settings.path(name) !== undefined)
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--${names.join(', --')}: not valid, or the key does not belong to the certificate (${why})`)
  }
}

/** The proxy of the environment for a target: `HTTPS_PROXY` for https ones, unless `NO_PROXY` names its host. */
export function proxyFor(url: string, environment: NodeJS.ProcessEnv): string | undefined {
  const { protocol, hostname, port } = new URL(url)
  const proxy = environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? ''
  if (proxy === '' || protocol !== 'https:') return undefined
  const excepted = (environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')
    .split(/[\s,]+/)
    .filter((exception) => exception !== '')
  const host = hostname.replace(/^\[|\]$/g, '')
  const isExcepted = excepted.some((exception) => {
    const { name, port: ofPort } = exceptionOf(exception)
    if (ofPort !== undefined && ofPort !== (port === '' ? '443' : port)) return false
    return exception === '*' || host === name || host.endsWith(`.${name}`)
  })
  if (isExcepted) return undefined
  const uri = proxy.includes('://') ? proxy : `http://${proxy}`
  if (!URL.canParse(uri)) throw new UsageError(`HTTPS_PROXY=${proxy}: expected the URL of a proxy, or NO_PROXY=${host}`)
  return uri
}

/** An entry of `NO_PROXY`, its name as a URL has it: in lower case, an IPv6 address, bare or in brackets, in its shortest form. */
function exceptionOf(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, bracketed, ofAddress] = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ?? []
  const address = bracketed ?? entry
  if (isIPv6(address)) return { name: new URL(`http://[${address}]`).hostname.slice(1, -1), port: ofAddress }
  const [, name = '', port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return { name: name.toLowerCase(), port }
}
