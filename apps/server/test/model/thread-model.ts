import type { Thread } from '@foyer/protocol/thread-rooms'
import type { ReceivedFrame } from '../gateway-client.ts'

interface KnownMessage {
  id: string
  seq: number
  authorId: string
}

interface Described {
  title: string
  is_closed: boolean
  tags: Thread['tags'] | undefined
  is_pinned: Thread['is_pinned'] | undefined
  solved_message_id: Thread['solved_message_id'] | undefined
}

interface KnownThread extends Described {
  messages: Map<string, KnownMessage>
}

interface KnownFollow {
  follow: string | null
  read_seq: number
}

/** A thread as the client and the server can both describe it. */
export interface ShownThread extends KnownFollow, Described {
  message_ids: readonly string[]
}

/** Threads as a user's client knows them from events alone, if it was connected before the first thread. */
export class ThreadModel {
  readonly #userId: string
  readonly #threads = new Map<string, KnownThread>()
  readonly #follows = new Map<string, KnownFollow>()

  constructor(userId: string, frames: readonly ReceivedFrame[]) {
    this.#userId = userId
    for (const { t, d } of frames) this.#receive(t, Object(d))
  }

  /** Threads by id. */
  get shown(): Record<string, ShownThread> {
    const shown = [...this.#threads].map(([id, { messages, ...described }]) => {
      const inOrder = [...messages.values()].sort((one, other) => one.seq - other.seq)
      return [id, { ...described, message_ids: inOrder.map((each) => each.id), ...this.#followOf(id) }]
    })
    return Object.fromEntries(shown)
  }

  /** Number of unread threads, as READY reports it. */
  get unread(): number {
    return [...this.#threads].filter(([id, { messages }]) => {
      const { follow, read_seq } = this.#followOf(id)
      const isNew = ({ seq, authorId }: KnownMessage) => seq > read_seq && authorId !== this.#userId
      return follow !== null && follow !== 'muted' && [...messages.values()].some(isNew)
    }).length
  }

  #followOf(id: string): KnownFollow {
    return this.#follows.get(id) ?? { follow: null, read_seq: 0 }
  }

  #receive(name: string | undefined, d: ReturnType<typeof Object>): void {
    const thread = this.#threads.get(d.room_id)
    if (name === 'THREAD_CREATE' || name === 'THREAD_UPDATE') this.#keep(d)
    else if (name === 'THREAD_DELETE') this.#threads.delete(d.id)
    else if (name === 'THREAD_FOLLOW_UPDATE')
      this.#follows.set(d.thread_id, { follow: d.follow, read_seq: d.read_seq })
    else if (name === 'MESSAGE_CREATE')
      thread?.messages.set(d.id, { id: d.id, seq: d.seq, authorId: d.author.id })
    else if (name === 'MESSAGE_DELETE') thread?.messages.delete(d.id)
    else if (name === 'MESSAGE_DELETE_BULK') for (const id of d.ids) thread?.messages.delete(id)
  }

  #keep(thread: Thread): void {
    const messages = this.#threads.get(thread.id)?.messages ?? new Map()
    this.#threads.set(thread.id, { ...describedBy(thread), messages })
  }
}

/** Returns the fields of a thread that a client shows. Only posts have the last three. */
export function describedBy({ title, is_closed, tags, is_pinned, solved_message_id }: Thread): Described {
  return { title, is_closed, tags, is_pinned, solved_message_id }
}
