import type { Conversation } from '@foyer/protocol/conversations'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Event, Topic } from '#src/kernel/bus.ts'
import { beginningOf, isEnd, type Missed } from './missed.ts'

/**
 * What a client that comes back knows. The database may be further than what this process has heard: of spaces and
 * conversations that are told anew and are not there any more, nothing is told that happened in them before.
 */
export class KnownChannels {
  /** Of what is told anew, by space and conversation; none of those that are gone. */
  readonly #channels = new Map<string, Set<string>>()
  readonly #mightHear: (topic: Topic) => boolean

  /**
   * @param found what the database has of what changed
   * @param mightHear whether the client knows the topic without being told anew
   */
  constructor(
    { changed_spaces, changed_conversations }: Missed,
    found: { spaces: readonly SpaceState[]; conversations: readonly Conversation[] },
    mightHear: (topic: Topic) => boolean,
  ) {
    this.#mightHear = mightHear
    for (const id of [...changed_spaces, ...changed_conversations]) this.#channels.set(id, new Set())
    for (const { id, rooms } of found.spaces)
      this.#channels.set(id, new Set([id, ...rooms.map((room) => room.id)]))
    for (const { id } of found.conversations) this.#channels.set(id, new Set([id]))
  }

  /** Whether the space was told anew, or is gone. */
  isToldAnew(spaceId: string): boolean {
    return this.#channels.has(spaceId)
  }

  /** Whether the client knows where this happened. A room may begin in what is replayed: to be asked of what is told alone. */
  has(event: Event): boolean {
    const { name, topic } = event
    const known = this.#channels.get(topic.tenantId)
    if (name === 'ROOM_CREATE') known?.add(topic.channelId)
    return isEnd(event) || (known?.has(topic.channelId) ?? this.#mightHear(topic))
  }

  /** The same of what was held back meanwhile, where what is gone may begin again; rooms that were gained are told by themselves. */
  hasTenant(event: Event): boolean {
    this.#channels.delete(beginningOf(event) ?? '')
    return isEnd(event) || this.#channels.get(event.topic.tenantId)?.size !== 0
  }
}
