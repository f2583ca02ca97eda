// Options that commands of several sorts have.
import { option, separators } from './option.js'
import { wordList } from './usage.js'
import { headerFamilies, reporterNames, textFormats } from './words.js'

export const config = option(
  '--config <file>',
  'configuration file (default: conformance.config.yaml or .json, here or above, up to the repository or home)',
)
export const noConfig = option('--no-config', 'read no configuration file')
export const reporter = option('--reporter <name[=file]>', `${wordList(reporterNames)}; repeatable`, {
  separator: separators.comma,
  words: reporterNames,
  fileKey: 'reporter',
})
export const badge = option(
  '--badge <file>',
  'write a badge: a picture (.svg), or the data of a shields endpoint (.json)',
  {
    fileKey: 'badge',
  },
)
export const strict = option('--strict', 'exit with 1 unless the verdict is conformant', { fileKey: 'strict' })
export const knownFailures = option('--known-failures <file>', 'failures to forgive (YAML or JSON)', {
  fileKey: 'known_failures',
})
export const quiet = option('--quiet', 'print only the summary')
export const verbose = option('--verbose', 'print every case')

export const headerNames = option(
  '--header-names <family>',
  'webhook (default), or svix: svix-id, svix-timestamp, svix-signature',
  { words: headerFamilies },
)
export const scheme = option(
  '--scheme <name>',
  'how deliveries are signed: a name of `conformance schemes`, or a scheme file (default: that of the interface)',
)
export const format = option('--format <format>', 'text or json (default text)', { words: textFormats })

/** Access to a target, besides its address. */
export const insecureHelp = 'accept any TLS certificate'
export const caHelp = 'also trust this authority (PEM); HTTPS_PROXY and NO_PROXY are honoured too'
export const clientCertHelp = 'your client certificate (PEM)'
export const headerHelp = 'a header to send along; repeatable'
export const isHeader = { separator: separators.line, isSecret: true } as const

/** The same for a target that no configuration file describes. */
export const accessOptions = [
  option('--header <name: value>', headerHelp, isHeader),
  option('--insecure', insecureHelp),
  option('--ca <file>', caHelp),
  option('--client-cert <file>', clientCertHelp),
  option('--client-key <file>', 'its key (PEM)'),
] as const

export const profileHelp =
  'interface (default), or standard-webhooks: only the rules of that specification, as with --scheme'
