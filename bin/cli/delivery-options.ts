// The commands for one delivery.
import { option, separators, type CommandEntry } from './option.js'
import { accessOptions, format, headerNames, scheme } from './shared-options.js'

const severalSecrets = option(
  '--secret <whsec>',
  'the secret it should be signed with; repeatable: a match with any of them will do',
  { separator: separators.comma, isSecret: true },
)
const signingSecret = option('--secret <whsec>', 'the secret to sign with', { isSecret: true })
const deliveryId = option('--id <id>', 'webhook-id (default: the id in the body, else a new one)')
const deliveryTimestamp = option('--timestamp <s>', 'webhook-timestamp, in Unix seconds (default: now)')

/** A request that was written down. */
const ofRequests = [
  option('--headers <file>', 'header lines, or one JSON object; with --body'),
  option('--body <file>', 'the bytes of the body'),
  option('--request <file>', 'a raw HTTP request, instead of the two'),
] as const

/** The commands for single deliveries at the shell. */
export const deliveryCommands = {
  sign: {
    help: 'print the three headers of a signed body',
    options: [
      signingSecret,
      option('--body <file>', 'the bytes that are signed; - for standard input'),
      deliveryId,
      deliveryTimestamp,
      headerNames,
      scheme,
      format,
    ],
  },
  verify: {
    help: 'check whether a delivery verifies now, as a consumer would, and if not, print the reason: 0 if it does, 1 if not',
    options: [
      severalSecrets,
      ...ofRequests,
      option('--now <seconds>', 'the time at which it is verified, in Unix seconds (default: now)'),
      scheme,
      format,
    ],
  },
  send: {
    help: 'send one signed delivery, or recorded ones again, to an endpoint: 0 if the answer is a 2xx, 1 if not',
    options: [
      option('--url <url>', 'where the endpoint takes deliveries'),
      option(
        '--from <file...>',
        'send the deliveries of these captures (conformance-capture/1 or HAR 1.2) again; with --sign-with or --as-is',
        { separator: separators.comma },
      ),
      option('--delivery <id>', 'with --from: only the deliveries with this id'),
      option('--sign-with <secret>', 'with --from: sign them now, with this secret', { isSecret: true }),
      option('--as-is', 'with --from: send them with the recorded timestamp and signature'),
      signingSecret,
      option('--event <type>', 'a sample of this event type (default message.received), or of this name in the scheme'),
      option('--body <file>', 'your own body; - for standard input'),
      deliveryId,
      deliveryTimestamp,
      headerNames,
      scheme,
      ...accessOptions,
    ],
  },
  listen: {
    help: 'print each delivery that arrives, and forward it unchanged to your endpoint',
    options: [
      option('--forward-to <url>', 'where deliveries go'),
      option('--listen <host:port>', 'where to listen, TLS and plain HTTP on one port (default 127.0.0.1:8443)'),
      option('--secret <whsec>', 'print of each delivery whether it verifies, and if not, why', { isSecret: true }),
      option('--record <file>', 'record the deliveries in this capture file, for send --from and observe --from'),
      scheme,
    ],
  },
  diagnose: {
    help: 'print why a signature does not match: 0 if it verifies, 1 if not',
    options: [
      severalSecrets,
      ...ofRequests,
      option(
        '--now <seconds>',
        'judge the timestamp at this time, in Unix seconds; without it the age is shown, not judged',
      ),
      option('--deep', 'search longer, at most some ten seconds: also for three mistakes at once'),
      option('--ui', 'serve a page on this machine that does the same for what you paste; nothing leaves the browser'),
      scheme,
      format,
    ],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>
