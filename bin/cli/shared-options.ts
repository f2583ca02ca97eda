// Options that commands of several sorts have.
import { advanced, judgement, option, output, separators, target } from './option.js'
import { listed } from '../../harness/safe-text.js'
import { headerFamilies, reporterNames, textFormats } from './option-values.js'

export const config = advanced(
  '--config <file>',
  'configuration file (default: conformance.config.yaml or .json, here or above)',
)
export const noConfig = advanced('--no-config', 'read no configuration file')
export const reporter = output(
  '--reporter <name[=file]>',
  `write a report: ${listed(reporterNames, 'or')}; repeatable`,
  {
    separator: separators.comma,
    words: reporterNames,
    fileKey: 'reporter',
  },
)
export const badge = output('--badge <file>', 'write a badge: a picture (.svg), or data for shields.io (.json)', {
  fileKey: 'badge',
})
export const strict = judgement('--strict', 'exit with 1 unless the verdict is conformant', { fileKey: 'strict' })
export const knownFailures = judgement('--known-failures <file>', 'failures to forgive (YAML or JSON)', {
  fileKey: 'known_failures',
})
export const quiet = output('--quiet', 'print only the summary')
export const verbose = output('--verbose', 'print every case')

export const headerNames = target(
  '--header-names <family>',
  'webhook (default), or svix: svix-id, svix-timestamp, svix-signature',
  { words: headerFamilies },
)
export const scheme = target(
  '--scheme <name>',
  'how deliveries are signed: a name of `conformance schemes`, or a scheme file',
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
  target('--header <name: value>', headerHelp, isHeader),
  target('--insecure', insecureHelp),
  target('--ca <file>', caHelp),
  target('--client-cert <file>', clientCertHelp),
  target('--client-key <file>', 'its key (PEM)'),
] as const

export const profileHelp =
  'interface (default), or standard-webhooks: only the rules of that specification, as with --scheme'
