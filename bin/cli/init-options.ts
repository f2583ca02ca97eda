// What `conformance init` takes.
import { option, type CommandEntry } from './option.js'
import { profileHelp } from './shared-options.js'
import { listed } from '../../harness/safe-text.js'
import { ciKinds, initKinds, loadEngines, profiles } from './option-values.js'

const question = 'prompted for on a terminal'

export const initCommand = {
  help: 'write a configuration file, the script of a sender, and a CI workflow',
  options: [
    option('--subject <kind>', `kind of target: ${listed(initKinds, 'or')}; ${question}, else service`, {
      words: initKinds,
    }),
    option('--dir <folder>', 'where to write (default: here)'),
    option('--base-url <url>', `the service; ${question}`),
    option('--url <url>', `a receiver: where the endpoint takes deliveries; ${question}`),
    option('--driver <command>', `a verifier or a client: starts its driver, by sh -c; ${question}`),
    option('--trigger <command>', `a sender: makes it send one event; ${question}`),
    option('--listen <host:port>', `a sender: where a run listens; ${question}, else 127.0.0.1:8443`),
    option('--profile <name>', `a receiver or a sender: ${profileHelp}; ${question}`, { words: profiles }),
    option('--control-url <url>', `a service: the control interface of a test deployment; ${question}`),
    option('--ci <kind>', `${listed(ciKinds, 'or')}; ${question}, else github`, { words: ciKinds }),
    option('--shards <n>', 'split the run of a service over this many machines (default 1; kubernetes: 4)'),
    option(
      '--package <spec>',
      'what CI installs, as npm does: a version, a git URL, a tarball or a folder of the repository (default: this version)',
    ),
    option('--load <engine>', 'instead: a load on a webhook endpoint, as a script for artillery', {
      words: loadEngines,
    }),
    option('--yes', 'use the default for every option left out'),
    option('--force', 'replace files that exist'),
  ],
} as const satisfies CommandEntry
