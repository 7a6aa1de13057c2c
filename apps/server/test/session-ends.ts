import type { Topic } from '#src/kernel/bus.ts'
import type { TestServer } from './server.ts'

/** The topics on which the server tells itself that a session is over, from now on. */
export function recordSessionEnds(server: TestServer): Topic[] {
  const topics: Topic[] = []
  server.deps.bus.listen((events) => {
    topics.push(...events.filter((event) => event.name === 'SESSION_END').map((event) => event.topic))
  })
  return topics
}
