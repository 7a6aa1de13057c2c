import type { Event, Topic } from '#src/kernel/journal/bus.ts'
import type { TestServer } from './server.ts'

const NAMES = ['CREDENTIAL_CHANGE', 'SESSION_END']

/** Records the topics of internal events about changed credentials and ended sessions. */
export function recordSessionEnds(server: TestServer): Topic[] {
  const topics: Topic[] = []
  const receive = (events: readonly Event[]) => {
    topics.push(...events.filter((event) => NAMES.includes(event.name)).map((event) => event.topic))
  }
  server.deps.bus.subscribe({ caches: [{ receive }] })
  return topics
}
