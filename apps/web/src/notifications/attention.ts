/** How near a window of this browser is to a message: its channel is before somebody's eyes, the app is, or neither. */
export type Attention = 'reading' | 'focused' | 'away'

const CHANNEL = 'foyer.attention'
/** Long enough for the other tabs to answer. */
const WAIT_MS = 150

interface Answer {
  readonly message_id: string
  readonly attention: Attention
}

/** Lets one of all tabs of this browser tell of a message, knowing what the others show. */
export class Tabs {
  readonly #channel = new BroadcastChannel(CHANNEL)
  readonly #answers = new Map<string, Attention>()
  readonly #end = new AbortController()
  #leads = false

  constructor() {
    this.#channel.onmessage = ({ data }) => this.#hear(data)
    void this.#lead()
  }

  /** Calls `tell` with how near the nearest window is, in one tab alone. */
  report(messageId: string, attention: Attention, tell: (attention: Attention) => void): void {
    if (attention !== 'away') this.#channel.postMessage({ message_id: messageId, attention } satisfies Answer)
    this.#note(messageId, attention)
    setTimeout(() => {
      const nearest = this.#answers.get(messageId) ?? 'away'
      this.#answers.delete(messageId)
      if (this.#leads) tell(nearest)
    }, WAIT_MS)
  }

  close(): void {
    this.#channel.close()
    this.#end.abort()
  }

  #hear(data: unknown): void {
    if (!isAnswer(data)) return
    this.#note(data.message_id, data.attention)
    // A tab that does not hear of the message itself forgets it, too.
    setTimeout(() => this.#answers.delete(data.message_id), 10 * WAIT_MS)
  }

  #note(messageId: string, attention: Attention): void {
    const known = this.#answers.get(messageId)
    if (known === undefined || attention === 'reading' || known === 'away')
      this.#answers.set(messageId, attention)
  }

  /** Browsers withhold locks from pages that are served without TLS: there, each tab tells, under the same tag. */
  async #lead(): Promise<void> {
    const locks: LockManager | undefined = navigator.locks
    if (locks === undefined) {
      this.#leads = true
      return
    }
    const { signal } = this.#end
    const lead = () => {
      this.#leads = true
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    await locks.request(CHANNEL, { signal }, lead).catch(() => undefined)
  }
}

function isAnswer(data: unknown): data is Answer {
  return typeof data === 'object' && data !== null && 'message_id' in data && 'attention' in data
}
