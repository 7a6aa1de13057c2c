/** The user's attention to a message in this browser: reading its channel, using the app, or neither. */
export type Attention = 'reading' | 'focused' | 'away'

const CHANNEL = 'foyer.attention'
/** Time for the other tabs to answer. */
const WAIT_MS = 150

interface Answer {
  readonly message_id: string
  readonly attention: Attention
}

/** Elects one tab of this browser to notify about messages, given the attention in all tabs. */
export class Tabs {
  readonly #channel = new BroadcastChannel(CHANNEL)
  readonly #answers = new Map<string, Attention>()
  readonly #closing = new AbortController()
  #leads = false

  constructor() {
    this.#channel.onmessage = ({ data }) => this.#receive(data)
    void this.#lead()
  }

  /** Calls `notify` in one tab only, with the highest attention of all tabs. */
  report(messageId: string, attention: Attention, notify: (attention: Attention) => void): void {
    if (attention !== 'away') this.#channel.postMessage({ message_id: messageId, attention } satisfies Answer)
    this.#note(messageId, attention)
    setTimeout(() => {
      const highest = this.#answers.get(messageId) ?? 'away'
      this.#answers.delete(messageId)
      if (this.#leads) notify(highest)
    }, WAIT_MS)
  }

  close(): void {
    this.#channel.close()
    this.#closing.abort()
  }

  #receive(data: unknown): void {
    if (!isAnswer(data)) return
    this.#note(data.message_id, data.attention)
    // Also deletes it in a tab that never receives the message itself.
    setTimeout(() => this.#answers.delete(data.message_id), 10 * WAIT_MS)
  }

  #note(messageId: string, attention: Attention): void {
    const known = this.#answers.get(messageId)
    if (known === undefined || attention === 'reading' || known === 'away')
      this.#answers.set(messageId, attention)
  }

  /** Waits to lead. Without TLS browsers have no locks: every tab leads, and notifications merge by their tag. */
  async #lead(): Promise<void> {
    const locks: LockManager | undefined = navigator.locks
    if (locks === undefined) {
      this.#leads = true
      return
    }
    const { signal } = this.#closing
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
