import type { Session } from '#src/session/session.ts'
import { loadIfFollowed, loadThread } from './loading.ts'

/** Remembered threads that had a message while they were not in use. */
const MAX_MISSED = 1000

type Server = Pick<Session, 'client' | 'store'>

/** Threads that had a message while they were not in use. */
export class MissedThreads {
  readonly #session: Server
  readonly #newest = new Map<string, number>()
  /** Threads already requested because the user may follow them. Null while all followed threads are loaded. */
  #asked: Set<string> | null = null

  constructor(session: Server) {
    this.#session = session
  }

  clear(): void {
    this.#newest.clear()
    this.#asked = null
  }

  note(id: string, seq: number): void {
    if (id in this.#session.store.get().threads) return
    if (this.#newest.size < MAX_MISSED) this.#newest.set(id, seq)
    void this.#ask(id)
  }

  /**
   * Requests the threads that had a message while an older answer was on its way.
   * @param isWhole false if the user follows more threads than those in use
   */
  async catchUp(isWhole: boolean): Promise<void> {
    this.#asked = isWhole ? null : new Set()
    for (const [id, seq] of this.#newest) {
      const known = this.#session.store.get().threads[id]
      if (known === undefined) await this.#ask(id)
      else if (known.last_seq < seq) await loadThread(this.#session, id).catch(() => undefined)
    }
  }

  async #ask(id: string): Promise<void> {
    if (this.#asked === null || this.#asked.has(id)) return
    this.#asked.add(id)
    await loadIfFollowed(this.#session, id).catch(() => this.#asked?.delete(id))
  }
}
