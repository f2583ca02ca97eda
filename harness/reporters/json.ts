import type { CreateReporter } from './reporter.js'

/** The report itself (contract section 6). */
export const json: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(`${JSON.stringify(report, null, 2)}\n`),
})
