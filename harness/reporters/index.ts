import { annotated } from './annotated.js'
import { attestation } from './attestation.js'
import { badgeJson, badgeSvg } from './badge.js'
import { ctrf } from './ctrf.js'
import { github } from './github.js'
import { har } from './har.js'
import { html } from './html.js'
import { json } from './json.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import { pretty } from './pretty.js'
import type { CreateReporter } from './reporter.js'
import { tap } from './tap.js'

/** Every reporter by its name. */
export const reporters = {
  pretty,
  json,
  junit,
  ctrf,
  html,
  interface: annotated,
  markdown,
  github,
  tap,
  har,
  attestation,
} as const satisfies Readonly<Record<string, CreateReporter>>

/** A badge as a picture, or as the data of a shields endpoint. */
export const badges = { svg: badgeSvg, json: badgeJson } as const satisfies Readonly<Record<string, CreateReporter>>

export type ReporterName = keyof typeof reporters
export { annotatedBlocks, annotatedPage } from './annotated.js'
export { failureText } from './failure-text.js'
export { pageResult } from './page-data.js'
export { historyOf, recordedRun, type RecordedRun } from './run-history.js'
export type { CreateReporter, Mistake, Mistakes, Output, Reporter, RunStart } from './reporter.js'
