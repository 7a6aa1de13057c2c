import type { Conversation } from '@foyer/protocol/conversations'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Event, Topic } from '#src/kernel/journal/bus.ts'
import { beginningOf, isEnd, type ReplaySurvey } from './replay-survey.ts'

/**
 * The channels a resuming client knows. The database may be ahead of the events this process has received. If
 * a resent space or conversation no longer exists, its earlier events are not replayed.
 */
export class KnownChannels {
  /** Ids of the channels of each resent space or conversation, by its id. The set is empty if it no longer exists. */
  readonly #channels = new Map<string, Set<string>>()
  readonly #couldReceive: (topic: Topic) => boolean

  /**
   * @param found the current state of the changed spaces and conversations
   * @param couldReceive returns true if the client knows the topic without a resend
   */
  constructor(
    { changed_spaces, changed_conversations }: ReplaySurvey,
    found: { spaces: readonly SpaceState[]; conversations: readonly Conversation[] },
    couldReceive: (topic: Topic) => boolean,
  ) {
    this.#couldReceive = couldReceive
    for (const id of [...changed_spaces, ...changed_conversations]) this.#channels.set(id, new Set())
    for (const { id, rooms } of found.spaces)
      this.#channels.set(id, new Set([id, ...rooms.map((room) => room.id)]))
    for (const { id } of found.conversations) this.#channels.set(id, new Set([id]))
  }

  /** True if the space is resent, or gone. */
  isResent(spaceId: string): boolean {
    return this.#channels.has(spaceId)
  }

  /**
   * True if the client knows the event's channel. A replayed ROOM_CREATE adds its room, so call it only for
   * events that are sent.
   */
  has(event: Event): boolean {
    const { name, topic } = event
    const known = this.#channels.get(topic.tenantId)
    if (name === 'ROOM_CREATE') known?.add(topic.channelId)
    return isEnd(event) || (known?.has(topic.channelId) ?? this.#couldReceive(topic))
  }

  /**
   * True if the client knows the space or conversation of a held live event. A deleted space may begin again with such an
   * event. Rooms are not checked: a room gained since has an event of its own.
   */
  hasTenant(event: Event): boolean {
    this.#channels.delete(beginningOf(event) ?? '')
    return isEnd(event) || this.#channels.get(event.topic.tenantId)?.size !== 0
  }
}
