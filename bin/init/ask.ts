import { createInterface } from 'node:readline'
import { UsageError } from '../cli/usage.js'
import { printError, rawStream } from '../cli/output.js'
import { invocation } from '../cli/invocation.js'

export interface Question<T> {
  readonly text: string
  /** Taken for an empty line. */
  readonly usual: string
  /** Reads the answer; throws {@link UsageError} for one that makes no sense, and the question is put again. */
  readonly read: (answer: string) => T
}

/** Puts questions on a terminal, one after the other. */
export interface Questioner {
  ask<T>(question: Question<T>): Promise<T>
  close(): void
}

/** Prompts on standard error, so that standard output contains the result alone. Ctrl-C and Ctrl-D reject with a usage error. */
export function questioner(): Questioner {
  const terminal = createInterface({ input: invocation().stdin, output: rawStream('stderr') })
  // Lines that were pasted at once wait here for their question.
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async ask({ text, usual, read }) {
      for (;;) {
        terminal.setPrompt(`${text} [${usual === '' ? 'none' : usual}] `)
        terminal.prompt()
        const { done, value } = await lines.next()
        if (done === true) throw new UsageError('init: no answer; nothing was written')
        try {
          return read(value.trim() === '' ? usual : value.trim())
        } catch (error) {
          if (!(error instanceof UsageError)) throw error
          printError(error.message)
        }
      }
    },
    close: () => terminal.close(),
  }
}
