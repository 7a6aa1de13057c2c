import type { Events } from '@foyer/protocol/events'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { Thread } from '@foyer/protocol/thread-rooms'

type RoomKind = Pick<Room, 'id' | 'type' | 'forum'>

/** A thread as events describe it to one client. */
export interface SeenThread {
  thread: Thread
  /** Ids of its messages, if the client has known the thread since its creation. */
  messageIds: Set<string> | undefined
}

export interface SeenFollow {
  follow: string | null
  read_seq: number
}

/**
 * The threads that one client knows from events. READY and ROOM_CREATE contain no threads, so a client knows only threads that
 * an event has described since the client received the room.
 */
export class ThreadView {
  /** Rooms that can have threads, with the time at which the client received each, on the clock of the run. */
  readonly rooms = new Map<string, number>()
  readonly threads = new Map<string, SeenThread>()
  /** Ids of the tags, by forum. */
  readonly #tags = new Map<string, ReadonlySet<string>>()
  /** Content of the last THREAD_FOLLOW_UPDATE, by thread. */
  readonly follows = new Map<string, SeenFollow>()
  /** The room of each thread that any event named. */
  readonly #places = new Map<string, string>()
  /** The newest event that described each thread. */
  readonly #describedBy = new Map<string, string>()
  /** Threads that were deleted while the client knew their room. */
  readonly gone = new Set<string>()

  startOver(rooms: readonly RoomKind[]): void {
    this.rooms.clear()
    this.threads.clear()
    this.follows.clear()
    this.#places.clear()
    for (const room of rooms) this.enter(room)
  }

  /** Records a room. Keeps the threads of a known room, because a second announcement does not change them. */
  enter(room: RoomKind): void {
    const { id, type } = room
    this.change(room)
    const hasThreads = type === RoomType.Text || type === RoomType.Forum
    if (hasThreads && !this.rooms.has(id)) this.rooms.set(id, performance.now())
  }

  change({ id, forum }: RoomKind): void {
    if (forum !== undefined) this.#tags.set(id, new Set(forum.tags.map((tag) => tag.id)))
  }

  /** Returns true if the forum has the tag. A deleted tag leaves all posts at once, without an event for each post. */
  hasTag(roomId: string, tagId: string): boolean {
    return this.#tags.get(roomId)?.has(tagId) === true
  }

  /** Forgets the threads of a room, because the client no longer receives all their events. @returns the forgotten ids */
  leave(roomId: string): string[] {
    this.rooms.delete(roomId)
    const ids = [...this.#places].flatMap(([id, place]) => (place === roomId ? [id] : []))
    for (const id of ids) {
      this.threads.delete(id)
      this.#places.delete(id)
    }
    for (const id of this.follows.keys()) if (!this.threads.has(id)) this.follows.delete(id)
    return ids
  }

  of(roomId: string): SeenThread[] {
    return [...this.threads.values()].filter(({ thread }) => thread.room_id === roomId)
  }

  /** Notes an event that names a thread without describing it. */
  place(threadId: string, roomId: string): void {
    this.#places.set(threadId, roomId)
  }

  /** Collects the messages only if this is the first event about the thread: a resume may replay a creation after messages. */
  create(thread: Thread, s = ''): void {
    const { id } = thread
    const isFirst = !this.#places.has(id)
    this.#describe(thread, s, isFirst ? new Set() : this.threads.get(id)?.messageIds)
  }

  update(thread: Thread, s = ''): void {
    this.#describe(thread, s, this.threads.get(thread.id)?.messageIds)
  }

  /** Updates a thread. Ignores a description that is older than the known one, because a resume may repeat old events. */
  #describe(thread: Thread, s: string, messageIds: Set<string> | undefined): void {
    const { id, room_id } = thread
    this.place(id, room_id)
    const known = this.threads.get(id)
    if (known !== undefined && s < (this.#describedBy.get(id) ?? '')) return
    this.#describedBy.set(id, s)
    this.threads.set(id, { thread, messageIds })
  }

  delete(threadId: string): void {
    this.threads.delete(threadId)
    this.follows.delete(threadId)
    this.gone.add(threadId)
  }

  follow({ thread_id, follow, read_seq }: Events['THREAD_FOLLOW_UPDATE']): void {
    this.follows.set(thread_id, { follow, read_seq })
  }

  addMessage(threadId: string, messageId: string): void {
    this.threads.get(threadId)?.messageIds?.add(messageId)
  }

  removeMessages(threadId: string, messageIds: readonly string[]): void {
    const known = this.threads.get(threadId)?.messageIds
    for (const id of messageIds) known?.delete(id)
  }
}
