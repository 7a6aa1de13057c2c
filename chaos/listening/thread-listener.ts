import type { EventName, Events } from '@foyer/protocol/events'
import { FORUMS_CAPABILITY } from '@foyer/protocol/forums'
import { RoomType } from '@foyer/protocol/rooms'
import { THREADS_CAPABILITY, type Thread } from '@foyer/protocol/thread-rooms'
import type { Findings } from '../audit/findings.ts'
import type { Ledger } from '../world/ledger.ts'
import type { Sights } from '../world/sight.ts'
import { ThreadView } from './thread-view.ts'

export interface ThreadListenerParts {
  userId: string
  /** Capabilities that the client sent to the gateway. */
  capabilities: readonly string[]
  ledger: Ledger
  sights: Sights
  findings: Findings
}

type Handlers = { [Name in EventName]?: (data: Events[Name], s: string | undefined) => void }
type Kind = 'room' | 'forum' | 'thread' | 'post'

/** Follows the threads of one client, and reports events that it must not receive. */
export class ThreadListener {
  readonly view = new ThreadView()
  readonly #parts: ThreadListenerParts
  readonly #handlers: Handlers = {
    READY: ({ spaces }) => this.view.startOver(spaces.flatMap(({ rooms }) => rooms)),
    SPACE_CREATE: ({ rooms }) => {
      for (const room of rooms) this.view.enter(room)
    },
    ROOM_CREATE: (room) => this.view.enter(room),
    ROOM_UPDATE: (room) => this.view.change(room),
    THREAD_CREATE: (thread, s) => {
      this.#checkThread(thread, 'a new thread')
      this.view.create(thread, s)
    },
    THREAD_UPDATE: (thread, s) => {
      this.#checkThread(thread, 'a change of a thread')
      this.view.update(thread, s)
    },
    THREAD_DELETE: ({ id }) => this.view.delete(id),
    THREAD_FOLLOW_UPDATE: (update) => this.view.follow(update),
    MESSAGE_CREATE: ({ id, room_id, parent_room_id }) => {
      if (room_id === null || parent_room_id === undefined) return
      this.#checkRoom(room_id, parent_room_id, 'a message of a thread')
      this.view.addMessage(room_id, id)
    },
    MESSAGE_DELETE: ({ id, room_id }) => this.view.removeMessages(room_id ?? '', [id]),
    MESSAGE_DELETE_BULK: ({ ids, room_id }) => this.view.removeMessages(room_id ?? '', ids),
  }

  constructor(parts: ThreadListenerParts) {
    this.#parts = parts
  }

  /** Returns whether the client receives the threads of a room that it can see. */
  hears(roomId: string): boolean {
    return this.#mayReceive(this.#isForum(roomId) ? 'post' : 'thread')
  }

  note<Name extends EventName>(name: Name, data: Events[Name], s?: string): void {
    const kinds = this.#kindsOf(name, data)
    if (!kinds.every((kind) => this.#mayReceive(kind)))
      this.#complain('leaked', 'a client received an event that it did not ask for', { name, data })
    const handler: Handlers[Name] = this.#handlers[name]
    handler?.(data, s)
    const { room_id, parent_room_id } = Object(data)
    if (typeof room_id === 'string' && typeof parent_room_id === 'string')
      this.view.place(room_id, parent_room_id)
  }

  #mayReceive(kind: Kind): boolean {
    const { capabilities } = this.#parts
    const needed = {
      room: [],
      forum: [FORUMS_CAPABILITY],
      thread: [THREADS_CAPABILITY],
      post: [THREADS_CAPABILITY, FORUMS_CAPABILITY],
    }
    return needed[kind].every((name) => capabilities.includes(name))
  }

  /** Returns the kinds of the rooms and threads that the event names. */
  #kindsOf<Name extends EventName>(name: Name, data: Events[Name]): Kind[] {
    const { rooms = [], spaces = [], type, room_id, parent_room_id, in_forum, tags } = Object(data)
    const isForum = (room: { type: number }): Kind => (room.type === RoomType.Forum ? 'forum' : 'room')
    // Moderators receive the audit log whatever capabilities their clients have.
    if (name === 'AUDIT_LOG_ENTRY_CREATE') return []
    if (name === 'READY') return spaces.flatMap((space: Events['SPACE_CREATE']) => space.rooms.map(isForum))
    if (name === 'SPACE_CREATE') return rooms.map(isForum)
    if (name === 'ROOM_CREATE' || name === 'ROOM_UPDATE') return [isForum({ type })]
    if (name === 'THREAD_FOLLOW_UPDATE') return [in_forum === true ? 'post' : 'thread']
    if (name.startsWith('THREAD_')) return [tags !== undefined || this.#isForum(room_id) ? 'post' : 'thread']
    if (parent_room_id !== undefined) return [this.#isForum(parent_room_id) ? 'post' : 'thread']
    return [this.#isForum(room_id) ? 'forum' : 'room']
  }

  #isForum(roomId: unknown): boolean {
    return typeof roomId === 'string' && this.#parts.ledger.threads.isForum(roomId)
  }

  #checkThread({ id, room_id, title }: Thread, what: string): void {
    const { ledger, sights, userId } = this.#parts
    this.#checkRoom(id, room_id, what)
    const begunAt = ledger.threads.titledAt(title)
    if (begunAt !== undefined && sights.hasBeen('no', userId, room_id, begunAt))
      this.#complain('leaked', `${what} was delivered without access`, { id, room_id, title, begunAt })
  }

  #checkRoom(threadId: string, roomId: string, what: string): void {
    const evidence = { threadId, roomId }
    if (!this.view.rooms.has(roomId)) this.#complain('unordered', `${what} of an unknown room`, evidence)
    if (this.view.gone.has(threadId)) this.#complain('unordered', `${what} came after its end`, evidence)
  }

  #complain(violation: 'leaked' | 'unordered', what: string, evidence: Record<string, unknown>): void {
    const { userId, capabilities, findings, sights } = this.#parts
    const sight = sights.history(userId, String(evidence.roomId ?? evidence.room_id)).slice(-6)
    findings.add(violation, what, { userId, capabilities, ...evidence, sight })
  }
}
