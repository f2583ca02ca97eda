// The reference with the variants that are named, in a process of its own: prints where it is, ends with its standard input.
import { installLoopbackGuard } from '../../../harness/loopback.js'
import { serverVariants } from '../../variants/server.js'
import { withVariants } from '../../../bin/reference/deviations.js'

installLoopbackGuard()
const wanted = new Set(process.argv.slice(2))
const { entry, policy } = await withVariants(
  'server',
  serverVariants.filter(({ id }) => wanted.has(id)),
)
const { close, ...facts } = await entry.startReferenceServer({ control: true, policy })
process.stdout.write(`${JSON.stringify(facts)}\n`)
process.stdin.resume()
process.stdin.on('end', () => void close().then(() => process.exit(0)))
