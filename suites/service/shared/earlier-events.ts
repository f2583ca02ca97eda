// Events that an org had before the run.
import { type Sandbox } from '../../../harness/authoring.js'
import { idsOf, listedEvents, raiseInOrder } from './event-log.js'

/** The least number of events to read. */
const fewest = 8

/** The newest events of the org, in the order of the list; ends the case as skipped where there are too few. */
export async function readPastEvents(sandbox: Sandbox, skip: (reason: string) => never): Promise<readonly unknown[]> {
  const { project } = sandbox
  const found = await project.recent()
  if (found.length >= fewest) return found.slice(-2 * fewest)
  if (!project.canRaise)
    return skip(`needs an org with ${fewest} events, or one that can raise them: from and inboxes in the configuration`)
  const raised = await raiseInOrder(project, fewest)
  const events = await listedEvents(sandbox, project.api, raised)
  // Their consequences, and events of others, are between them.
  const places = raised.map((id) => idsOf(events).indexOf(id))
  return events.slice(Math.max(0, Math.min(...places)), Math.max(...places) + 1)
}
