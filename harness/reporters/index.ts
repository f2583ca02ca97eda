import { html } from './html.js'
import { ctrf, github, json, junit, markdown, tap } from './machine.js'
import { pretty } from './pretty.js'
import type { CreateReporter } from './reporter.js'

/** Every reporter by its name. */
export const reporters = { pretty, json, junit, ctrf, html, markdown, github, tap } as const satisfies Readonly<
  Record<string, CreateReporter>
>

export type ReporterName = keyof typeof reporters
export type { CreateReporter, Output, Reporter, RunStart } from './reporter.js'
