import type { Event, Topic } from '#src/kernel/journal/bus.ts'
import type { TestServer } from './server.ts'

const NAMES = ['CREDENTIAL_CHANGE', 'SESSION_END']

/** The topics on which the server tells itself that credentials changed or a session is over, from now on. */
export function recordSessionEnds(server: TestServer): Topic[] {
  const topics: Topic[] = []
  const receive = (events: readonly Event[]) => {
    topics.push(...events.filter((event) => NAMES.includes(event.name)).map((event) => event.topic))
  }
  server.deps.bus.subscribe({ caches: [{ receive }] })
  return topics
}
