import { deliveries } from './deliveries.js'
import { failingRuns } from './failing-runs.js'
import { captures } from './captures.js'
import { far } from './far.js'
import { gets } from './gets.js'
import { observe } from './observe.js'
import { pollPage } from './poll-page.js'
import { realTime } from './real-time.js'
import { selftest } from './selftest.js'
import { serviceRun } from './service-run.js'
import { start } from './start.js'
import { stream } from './stream.js'
import { users } from './users.js'
import { vectors } from './vectors.js'
import { verify } from './verify.js'

/** Every row, in the order of the table. */
export const rows = [
  serviceRun,
  failingRuns,
  realTime,
  far,
  users,
  start,
  gets,
  verify,
  vectors,
  pollPage,
  deliveries,
  stream,
  observe,
  captures,
  selftest,
]
