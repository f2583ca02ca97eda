import { replyOf, type DriverLink, type DriverReply, type DriverSource } from './link.js'

/** Answers one request of the driver protocol; what it throws counts as the death of the driver. */
export type DriverHandler = (request: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>

/** A driver inside this process: the same requests and answers, as JSON values, without a pipe. */
export function inProcessDriver(label: string, createHandler: () => DriverHandler): DriverSource {
  return { label, isFree: true, start: () => new InProcessLink(createHandler()) }
}

class InProcessLink implements DriverLink {
  isAlive = true
  #open = 0
  readonly #handler: DriverHandler

  constructor(handler: DriverHandler) {
    this.#handler = handler
  }

  async call(request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<DriverReply>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'silent', afterMs: withinMs }), withinMs)
    })
    this.#open++
    const answer = this.#answer(JSON.parse(JSON.stringify(request)) as Record<string, unknown>)
    const reply = await Promise.race([answer.finally(() => this.#open--), silence])
    clearTimeout(timer)
    return reply
  }

  get isBusy(): boolean {
    return this.#open > 0
  }

  kill(): void {
    this.isAlive = false
  }

  async close(): Promise<void> {
    this.isAlive = false
  }

  async #answer(request: Readonly<Record<string, unknown>>): Promise<DriverReply> {
    try {
      const fields = JSON.parse(JSON.stringify(await this.#handler(request))) as Record<string, unknown>
      return replyOf(fields)
    } catch (error) {
      this.isAlive = false
      return { kind: 'died', how: `threw ${String(error)}`, stderr: '' }
    }
  }
}
