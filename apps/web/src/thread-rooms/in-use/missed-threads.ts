import type { Session } from '#src/session/session.ts'
import { loadIfFollowed, loadThread } from './loading.ts'

/** Maximum remembered threads that had a message while they were not in the store. */
const MAX_MISSED = 1000

type Server = Pick<Session, 'client' | 'store'>

const sessions = new WeakMap<Server['store'], MissedThreads>()

export function missedOf(session: Server): MissedThreads {
  const known = sessions.get(session.store) ?? new MissedThreads(session)
  sessions.set(session.store, known)
  return known
}

/** Threads that had a message while they were not in the store. */
class MissedThreads {
  readonly #session: Server
  readonly #newest = new Map<string, number>()
  /** Requests for threads that the user may follow, by thread id. Null while all followed threads are loaded. */
  #asked: Map<string, Promise<void>> | null = null

  constructor(session: Server) {
    this.#session = session
  }

  clear(): void {
    this.#newest.clear()
    this.#asked = null
  }

  /** True if the user follows more threads than are loaded. */
  get hasFollowed(): boolean {
    return this.#asked !== null
  }

  note(id: string, seq: number): void {
    if (id in this.#session.store.get().threads) return
    if (this.#newest.size < MAX_MISSED) this.#newest.set(id, seq)
    void this.loadFollowed(id)
  }

  /**
   * Requests the threads that had a message while the followed threads were being requested.
   * @param isWhole false if the user follows more threads than are loaded
   */
  async catchUp(isWhole: boolean): Promise<void> {
    this.#asked = isWhole ? null : new Map()
    for (const [id, seq] of this.#newest) {
      const known = this.#session.store.get().threads[id]
      if (known === undefined) await this.loadFollowed(id)
      else if (known.last_seq < seq) await loadThread(this.#session, id).catch(() => undefined)
    }
  }

  /** Requests a thread once, and loads it if the user follows it. Does nothing if all followed threads are loaded. */
  async loadFollowed(id: string): Promise<void> {
    const request = this.#asked?.get(id) ?? this.#request(id)
    this.#asked?.set(id, request)
    await request
  }

  async #request(id: string): Promise<void> {
    const asked = this.#asked
    if (asked === null) return
    await loadIfFollowed(this.#session, id).catch(() => asked.delete(id))
  }
}
