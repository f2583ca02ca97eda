import type { Case } from '../../harness/index.js'
import type { ReportKind } from '../../spec/index.js'
import { clientCases } from '../../suites/client/index.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { senderCases } from '../../suites/sender/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { trafficCases } from '../../suites/traffic/index.js'
import { verifierCases } from '../../suites/verifier/index.js'

/** The facts about a case without running it. */
export type CaseInfo = Omit<Case, 'run' | 'id' | 'subject'> & { readonly id: string; readonly subject: ReportKind }

/** Every case of every kind, in run order. */
export const catalogue: readonly CaseInfo[] = [
  ...serviceCases,
  ...receiverCases,
  ...verifierCases,
  ...clientCases,
  ...senderCases,
  ...trafficCases,
]
