// The questions of `conformance init` for a receiver, a verifier, a client and a sender; on a terminal each answer is tried at once.
import { hideSecrets } from '../cli/hidden-arguments.js'
import type { Settings } from '../cli/settings.js'
import { printError } from '../cli/output.js'
import type { OptionName } from '../cli/options.js'
import { profiles } from '../cli/option-values.js'
import { hostAndPort, oneOf, UsageError } from '../cli/usage.js'
import { urlToCommit } from './urls.js'
import type { Question, Questioner } from './ask.js'
import { secretVariable, type InitAnswers } from './files.js'
import type { ProbeResult } from './probes.js'
import { sendScript, starterDriver } from './starters.js'
import { longestTryMs, probeDriver, probeEndpoint, probeSender } from './target-probes.js'
import { invocation } from '../cli/invocation.js'

/** Puts a question, unless a flag or a variable has answered it. */
export interface PromptOptions {
  readonly settings: Settings
  /** Undefined without a dialogue: then nothing is tried either. */
  readonly terminal: Questioner | undefined
  answer<T>(name: OptionName, question: Question<T>): Promise<T>
}

type Facts = Pick<InitAnswers, 'url' | 'driver' | 'trigger' | 'listen' | 'profile'>

/** Prompts for the facts that one of these kinds needs. */
export async function promptForTarget(
  asking: PromptOptions,
  subject: 'receiver' | 'verifier' | 'client' | 'sender',
): Promise<Facts> {
  const secret = subject === 'receiver' || subject === 'sender' ? secretHere(asking) : undefined
  switch (subject) {
    case 'receiver': {
      const profile = await profileOf(asking)
      const url = await tried(asking, {
        name: 'url',
        question: {
          text: 'URL of the endpoint?',
          usual: 'http://127.0.0.1:3000/webhooks',
          read: (text) => urlToCommit('--url', text),
        },
        trying: `trying it with one signed delivery, up to ${seconds(longestTryMs.endpoint)}`,
        probe: (given) => probeEndpoint(given, secret),
      })
      return { url, profile }
    }
    case 'verifier':
    case 'client': {
      const driver = await tried(asking, {
        name: 'driver',
        question: { text: 'Command that starts its driver?', usual: starterDriver, read: safeCommand('--driver') },
        trying: `trying the driver, up to ${seconds(longestTryMs.driver)}`,
        probe: (command) => probeDriver(subject, command),
        isUntried: (command) =>
          command === starterDriver ? 'driver.mjs is written for you to put the calls in' : undefined,
      })
      return { driver }
    }
    case 'sender': {
      const profile = await profileOf(asking)
      const listen = await asking.answer('listen', {
        text: 'Where should a run listen?',
        usual: '127.0.0.1:8443',
        read: (text) => (hostAndPort('--listen', text), text),
      })
      const trigger = await tried(asking, {
        name: 'trigger',
        question: {
          text: 'Command that makes the program send one event?',
          usual: sendScript,
          read: safeCommand('--trigger'),
        },
        trying: `trying the trigger, up to ${seconds(longestTryMs.trigger)}`,
        probe: (command) => probeSender(command, { listen, secret, profile }),
        isUntried: (command) =>
          command === sendScript ? 'send-one.sh is written for you to put the call in' : undefined,
      })
      return { trigger, listen, profile }
    }
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}

function safeCommand(option: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new UsageError(`${option}: expected a command`)
    // The file that holds the command is one to commit.
    if (hideSecrets([`${text} `], {}).secrets.length > 0)
      throw new UsageError(
        `${option}: the command contains what looks like a secret, and init would write it into the configuration: put it into a variable, and write that as $NAME`,
      )
    return text
  }
}

/** Returns the secret of the environment; in a dialogue it prints that a missing one is needed. */
function secretHere({ terminal }: PromptOptions): string | undefined {
  const secret = invocation().env[secretVariable]
  if (secret !== undefined && secret !== '') return secret
  if (terminal !== undefined)
    printError(`${secretVariable} is not set here: whether a signature is right cannot be tried out`)
  return undefined
}

function profileOf({ answer }: PromptOptions): Promise<(typeof profiles)[number]> {
  return answer('profile', {
    text: `What is it held to (${profiles.join(', ')})?`,
    usual: 'interface',
    read: (text) => oneOf('--profile', text, profiles),
  })
}

/** Repeats the question until the answer works, or the user keeps it anyway. A flag's value is tried and accepted. */
async function tried(
  asking: PromptOptions,
  {
    name,
    question,
    trying,
    probe,
    isUntried = () => undefined,
  }: {
    readonly name: OptionName
    readonly question: Question<string>
    readonly trying: string
    readonly probe: (value: string) => Promise<ProbeResult>
    /** Why there is nothing to try yet. */
    readonly isUntried?: (value: string) => string | undefined
  },
): Promise<string> {
  for (;;) {
    const value = await asking.answer(name, question)
    if (asking.terminal === undefined) return value
    const why = isUntried(value)
    printError(why ?? trying)
    if (why !== undefined) return value
    const { works, text } = await probe(value)
    printError(text)
    if (works || asking.settings.source(name) !== undefined) return value
    const keeps = await asking.terminal.ask({ text: 'Keep it anyway (y, n)?', usual: 'n', read: (word) => word })
    if (keeps.toLowerCase().startsWith('y')) return value
  }
}
