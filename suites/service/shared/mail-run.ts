// Runs scripts about mail: in one project or in several, in a workspace or in the configured org, by the clock or without it.
import type { RequirementId } from '../../../spec/index.js'
import {
  serviceCase,
  type Checks,
  type Sandbox,
  type ServiceCase,
  type ServiceContext,
} from '../../../harness/authoring.js'
import { carriedWithinMs, isOf, notCarried } from './carried-mail.js'
import { eventsOnce } from './event-log.js'
import { MailWorld, type MailTools } from './mail-world.js'
import { hour, type EmailPlan, type MailStep } from './mail-script.js'
import { Outlets } from './outlets.js'
import { movedMs, scheduleTimeoutMs } from './scheduled-mail.js'
import { bareAddress, idOf } from './sent-mail.js'

/** Margin before and after a time at which mail is checked, in milliseconds: more than a scheduler may be early or late. */
const aroundMs = hour / 3
/** Times that are later than this are not waited for, in milliseconds: the clock of a service need not go so far. */
const farMs = 400 * 24 * hour
/** What an hour of a script takes if its time is waited for, in hours: some seconds, so that there is time to change an email. */
const livePace = 2_000 / hour

interface Named extends Pick<ServiceCase, 'title' | 'formerly'> {
  readonly id: `service/${string}/${string}`
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  readonly decides?: readonly RequirementId[]
  readonly dependsOn?: readonly RequirementId[]
  /** Runs in each of so many projects; one by default. */
  readonly projects?: number
  /** The projects use the same keys. */
  readonly sharesKeys?: true
  readonly inboxes?: number
  /** The webhook and the stream are compared with the list. */
  readonly hasOutlets?: true
  /** Where no clock moves mail, the time of the script is waited for: it has few hours. */
  readonly isLive?: true
  readonly script: readonly MailStep[]
}

/** Defines a case that performs a script, and compares everything with the world model. */
export function mailCase({
  script,
  projects = 1,
  inboxes = 2,
  sharesKeys,
  hasOutlets,
  isLive,
  ...definition
}: Named): ServiceCase {
  const needs = needsOf(script, isLive === true)
  return serviceCase({
    ...definition,
    level: 'must',
    needs: [
      'send',
      ...needs,
      ...(projects > 1 ? (['projects'] as const) : []),
      ...(hasOutlets === true ? (['sink'] as const) : []),
      // An org that is configured may have two inboxes.
      ...(hasOutlets === true || inboxes > 2 ? (['workspace'] as const) : []),
    ],
    timeoutMs: scheduleTimeoutMs,
    async run(context) {
      const { require, check, skip, measure } = context
      let sandbox = await context.openSandbox({ projects, inboxes })
      const [isTimed, isCarried] = [hasTimes(script), isCarriedBy(script)]
      // The webhook and the stream of a workspace show only what happens after they exist.
      const facts = await learnMailFacts(hasOutlets === true ? await context.openSandbox() : sandbox, {
        ...context,
        asks: { isMoved: isTimed, isCarried },
      })
      if (isTimed) measure('scheduled mail is moved by', facts.isMoved ? 'the clock of the workspace' : 'real time')
      if (isCarried && !facts.isCarried) return skip(notCarried)
      const isWaited = isLive === true && !facts.isMoved
      // A clock that was moved is ahead of the mail.
      if (isWaited && sandbox.time === 'virtual') sandbox = await context.openSandbox({ projects, inboxes })
      const pace = isWaited ? livePace : 1
      const missing = await runMailScript(sandbox, {
        script,
        require,
        check,
        facts,
        context,
        sharesKeys,
        hasOutlets,
        pace,
      })
      if (missing !== undefined) skip(`needs a service that ${missing}`)
    },
  })
}

function plansIn(script: readonly MailStep[]): readonly EmailPlan[] {
  return script.flatMap((step) => {
    if (step.do === 'walk') return step.meanwhile === undefined ? [] : plansIn([step.meanwhile])
    if (step.do === 'batch') return step.emails
    return step.do === 'send' || step.do === 'reuse-key' ? [step.email] : []
  })
}

function needsOf(script: readonly MailStep[], isLive: boolean) {
  const plans = plansIn(script)
  const hasStep = (name: MailStep['do']) => script.some((step) => step.do === name)
  const byInbox = script.some((step) => step.do === 'change' && step.by !== undefined)
  const hasInbox = byInbox || isCarriedBy(script) || plans.some(({ by }) => by !== undefined)
  return [
    ...(hasInbox ? (['inboxes'] as const) : []),
    ...(hasStep('pass') ? [isLive ? ('time:5000' as const) : ('clock' as const)] : []),
    ...(hasStep('pause') ? (['sending-status'] as const) : []),
    ...(hasStep('walk') ? (['workspace'] as const) : []),
  ]
}

/** Whether mail of the script has times, so that it depends on the clock. */
function hasTimes(script: readonly MailStep[]): boolean {
  return script.some((step) => step.do === 'pass') || plansIn(script).some(({ aheadMs }) => aheadMs !== undefined)
}

/** Whether the script has mail to inboxes. */
function isCarriedBy(script: readonly MailStep[]): boolean {
  return plansIn(script).some(({ to }) => to.some(({ inbox }) => inbox !== undefined))
}

/** Learns whether the clock moves scheduled mail, and whether mail to an inbox of the service is received there. */
export async function learnMailFacts(
  sandbox: Sandbox,
  {
    require,
    recipient,
    unique,
    asks,
  }: Pick<ServiceContext, 'require' | 'recipient' | 'unique'> & { asks: MailTools['facts'] },
): Promise<MailTools['facts']> {
  const { project, time } = sandbox
  const isMovable = asks.isMoved && time === 'virtual'
  const after = await project.listEnd()
  const [scheduled, carried] = [unique(), unique()]
  const from = bareAddress(project.from)
  const send = async (mail: object) => idOf(require, await project.api.sendEmail({ from, text: 'Text', ...mail }))
  if (isMovable) {
    const scheduled_at = new Date(sandbox.now() + hour).toISOString()
    await send({ to: recipient, subject: scheduled, scheduled_at })
    await sandbox.advance(2 * hour)
  }
  if (asks.isCarried) await send({ to: project.inbox(0).address, subject: carried })
  const [isQueued, isReceived] = [isOf('message.queued', scheduled), isOf('message.received', carried)]
  const isKnown = (events: readonly unknown[]) =>
    (!isMovable || events.some(isQueued)) && (!asks.isCarried || events.some(isReceived))
  const withinMs = time === 'real' ? undefined : Math.max(isMovable ? movedMs : 0, asks.isCarried ? carriedWithinMs : 0)
  const events = isMovable || asks.isCarried ? await eventsOnce(sandbox, project.api, isKnown, { after, withinMs }) : []
  return { isMoved: events.some(isQueued), isCarried: events.some(isReceived) }
}

/**
 * Runs a script in each project; ends at the first mismatch. Time passes by the clock, or in real time if the script has another pace,
 * or not at all. Returns the ability that the service lacks if no email was accepted, or if mail would be due by a time that did not pass.
 */
export async function runMailScript(
  sandbox: Sandbox,
  {
    script,
    require,
    check = require,
    facts,
    context: { recipient, unique },
    sharesKeys = false,
    hasOutlets = false,
    pace = 1,
  }: {
    readonly script: readonly MailStep[]
    readonly require: Checks
    readonly check?: Checks
    readonly facts: MailTools['facts']
    readonly context: Pick<ServiceContext, 'recipient' | 'unique'>
    readonly sharesKeys?: boolean | undefined
    readonly hasOutlets?: boolean | undefined
    readonly pace?: number
  },
): Promise<string | undefined> {
  const { project, projects } = sandbox
  const outlets = hasOutlets
    ? new Outlets(sandbox, require, {
        webhook: await project.createWebhook(),
        stream: await project.stream().opened(require.of('STR-001')),
      })
    : undefined
  // Until the clock was moved once, nothing bounds its time; nor in the millisecond in which it was.
  if (sandbox.time === 'virtual') await sandbox.settle()
  for (let tries = 0; tries < 10 && sandbox.clockAt(Date.now()).earliest === -Infinity; tries++) await sandbox.quiet(1)
  const keys: string[] = []
  const keyAt = (index: number) => (sharesKeys ? (keys[index] ??= unique()) : unique())
  const tools: MailTools = {
    require,
    check,
    keys: new Set(),
    facts,
    pace,
    recipient,
    unique,
    keyAt,
    ids: new Set(),
    refused: [],
  }
  const worlds = await Promise.all(
    projects.map(async (each) => new MailWorld(sandbox, each, { tools, after: await each.listEnd() })),
  )
  const isBroken = () => worlds.some((world) => world.isBroken)
  const compareEvents = async () => {
    for (const world of worlds) await world.compareEvents()
  }
  for (const step of script) {
    if (step.do === 'pass') {
      if (facts.isMoved) await sandbox.advance(step.ms)
      else if (pace < 1) for (const world of worlds) await world.waitForMail(step.ms)
      await compareEvents()
    } else for (const world of worlds) await world.perform(step)
    if (isBroken()) return undefined
  }
  const times = new Set(worlds.flatMap((world) => world.times))
  for (const at of facts.isMoved ? [...times].sort((one, other) => one - other) : []) {
    const aheadMs = at - sandbox.now()
    if (aheadMs > farMs) break
    if (aheadMs > aroundMs) await sandbox.advance(aheadMs - aroundMs)
    await compareEvents()
    await sandbox.advance(2 * aroundMs)
    await compareEvents()
    if (isBroken()) return undefined
  }
  for (const world of worlds) await world.compareEvents({ isEnd: true })
  if (isBroken()) return undefined
  for (const world of worlds) await world.compareRecords()
  if (isBroken()) return undefined
  await outlets?.compare()
  const [refused] = tools.refused
  if (refused !== undefined && worlds.every((world) => world.isEmpty)) return `accepts ${refused}`
  const passed = script.reduce((sum, step) => sum + (step.do === 'pass' ? step.ms : 0), 0)
  const isDue = !facts.isMoved && worlds.some((world) => world.times.some((at) => at <= sandbox.now() + passed * pace))
  return isDue ? 'sends scheduled mail by the clock of the workspace' : undefined
}
