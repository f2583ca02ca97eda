// The options that lead to a control interface, and the command that checks one.
import { target, type CommandEntry } from './option.js'
import { accessOptions, config, noConfig } from './shared-options.js'

export const controlUrl = target('--control-url <url>', 'the control interface of a test deployment', {
  fileKey: 'control.url',
})
export const controlKey = target('--control-key <key>', 'its key', { fileKey: 'control.key', isSecret: true })
export const controlCommand = target(
  '--control-command <command>',
  'instead of the two: a program that answers it on standard input; run by sh -c',
  { fileKey: 'control.command' },
)

/** `conformance control check`. */
export const controlCommands = {
  control: { help: 'the control interface of a test deployment', options: [] },
  'control check': {
    help: 'check an implementation of the control interface, call by call, and print the requirements that each part makes verifiable: 0 if it is right, 1 if not',
    arguments: [{ form: '[url]', help: 'the control URL' }],
    options: [
      controlUrl,
      controlKey,
      controlCommand,
      target('--base-url <url>', 'the service it controls, where the effects of the calls are checked', {
        fileKey: 'base_url',
      }),
      ...accessOptions,
      config,
      noConfig,
    ],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>
