/**
 * One event for several watches: each watch has to have begun before it is raised, since it takes the time of its beginning as
 * the earliest of an attempt. The cause to give to each of `count` watches, which are begun side by side.
 */
export function raisedOnce<Event>(count: number, raise: () => Promise<Event>): () => Promise<Event> {
  let begun = 0
  let start = () => {}
  const raised = new Promise<void>((resolve) => (start = resolve)).then(raise)
  return () => {
    if (++begun === count) start()
    return raised
  }
}
