// A process around one part of the bench: starts it, calls its functions, measures its resources.
import { readdirSync } from 'node:fs'

/** What a module in this folder gives: facts for the caller, functions by name, and an end. */
export interface Part {
  readonly facts: unknown
  readonly calls?: Readonly<Record<string, (argument: never) => unknown>>
  close(): void | Promise<void>
}

const [name = '', argument = 'null'] = process.argv.slice(2)
let part: Part | undefined

process.on('message', (message: { number: number; name: string; argument: unknown }) => {
  answer(message.name, message.argument).then(
    (value) => process.send?.({ number: message.number, value }),
    (error: unknown) => process.send?.({ number: message.number, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function answer(what: string, value: unknown): Promise<unknown> {
  switch (what) {
    case 'start': {
      const module = (await import(`./${name}.js`)) as { start: (argument: unknown) => Promise<Part> }
      part = await module.start(JSON.parse(argument))
      return part.facts
    }
    case 'use': {
      globalThis.gc?.()
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
      const mb = process.memoryUsage.rss() / 1024 / 1024
      return { cpuMs: (userCPUTime + systemCPUTime) / 1000, mb, peakMb: maxRSS / 1024, descriptors: descriptors() }
    }
    case 'close':
      return part?.close()
    default: {
      const call = part?.calls?.[what]
      if (call === undefined) throw new Error(`${name} has no function ${what}`)
      return call(value as never)
    }
  }
}

/** Returns the number of open descriptors of this process; NaN on systems without it. */
function descriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return Number.NaN
  }
}
