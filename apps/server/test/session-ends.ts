import type { Topic } from '#src/kernel/bus.ts'
import type { TestServer } from './server.ts'

const NAMES = ['CREDENTIAL_CHANGE', 'SESSION_END']

/** The topics on which the server tells itself that credentials changed or a session is over, from now on. */
export function recordSessionEnds(server: TestServer): Topic[] {
  const topics: Topic[] = []
  server.deps.bus.listen((events) => {
    topics.push(...events.filter((event) => NAMES.includes(event.name)).map((event) => event.topic))
  })
  return topics
}
