/**
 * Something that happened. `topic` names who may hear it: `user:<id>`, `space:<id>`, `room:<id>`, `conversation:<id>`,
 * or `session:<id>` for what only the server itself hears.
 */
export interface Event {
  /** Its place in the journal; undefined for events that pass without trace. */
  readonly id: string | undefined
  readonly topic: string
  /** Permission bits that a listener needs in the topic's space; 0 needs none. */
  readonly audience: number
  readonly name: string
  /** The event's data, encoded once. */
  readonly data: string
}

export type Listener = (events: readonly Event[]) => void

/**
 * Carries events from the transaction that committed them to everything that listens, in the order of `listen`:
 * caches first, so that whoever hears an event finds no stale answer behind it.
 */
export class Bus {
  readonly #listeners: Listener[] = []

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  emit(events: readonly Event[]): void {
    for (const listener of this.#listeners) listener(events)
  }
}

export const topicOf = {
  user: (id: string) => `user:${id}`,
  space: (id: string) => `space:${id}`,
  room: (id: string) => `room:${id}`,
  session: (id: string) => `session:${id}`,
}

/** The id in a topic, and its kind. */
export function parseTopic(topic: string): { kind: string; id: string } {
  const colon = topic.indexOf(':')
  return { kind: topic.slice(0, colon), id: topic.slice(colon + 1) }
}
