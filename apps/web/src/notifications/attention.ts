/**
 * State of this browser's windows when a message arrives: `reading` if the focused window shows the channel of the message,
 * `focused` if it shows something else, `away` if no window of the app has the focus.
 */
export type Attention = 'reading' | 'focused' | 'away'

const CHANNEL = 'foyer.attention'
/** Time given to the other tabs to answer. */
const WAIT_MS = 150

/** Answers of a tab to other tabs, in rising priority. An answer replaces those that come before it in this list. */
const ANSWERS = ['away', 'focused', 'reading', 'notified'] as const

interface Answer {
  readonly message_id: string
  readonly attention: (typeof ANSWERS)[number]
}

/** Elects one of the browser's tabs to show notifications. The other tabs report their attention to each message. */
export class Tabs {
  readonly #channel = new BroadcastChannel(CHANNEL)
  readonly #answers = new Map<string, Answer['attention']>()
  /** Ends this tab's leadership, or its wait to become the leader. Undefined while the tab is not a candidate. */
  #candidacy: AbortController | undefined
  #leads = false

  constructor() {
    this.#channel.onmessage = ({ data }) => this.#receive(data)
  }

  /** Becomes the leader as soon as no other tab is. Called when this tab starts receiving messages. */
  stand(): void {
    if (this.#candidacy !== undefined) return
    this.#candidacy = new AbortController()
    void this.#lead(this.#candidacy.signal)
  }

  /** Gives up leadership. Called when this tab loses its connection or the browser is about to freeze it. */
  withdraw(): void {
    this.#candidacy?.abort()
    this.#candidacy = undefined
    this.#leads = false
  }

  /** Collects the attention of all tabs, and calls `notify` with the most attentive state, in one tab only. */
  report(messageId: string, attention: Attention, notify: (attention: Attention) => void): void {
    if (attention !== 'away') this.#answer(messageId, attention)
    this.#note(messageId, attention)
    setTimeout(() => {
      const nearest = this.#answers.get(messageId) ?? 'away'
      this.#answers.delete(messageId)
      if (nearest === 'notified' || !this.#leads) return
      // Another tab may become the leader and receive this message only now. It must not notify again.
      this.#answer(messageId, 'notified')
      notify(nearest)
    }, WAIT_MS)
  }

  close(): void {
    this.withdraw()
    this.#channel.close()
  }

  #answer(messageId: string, attention: Answer['attention']): void {
    this.#channel.postMessage({ message_id: messageId, attention } satisfies Answer)
  }

  #receive(data: unknown): void {
    if (!isAnswer(data)) return
    this.#note(data.message_id, data.attention)
    // Forgets the answer later, even if this tab never receives the message itself.
    setTimeout(() => this.#answers.delete(data.message_id), 10 * WAIT_MS)
  }

  #note(messageId: string, attention: Answer['attention']): void {
    const known = this.#answers.get(messageId) ?? 'away'
    if (ANSWERS.indexOf(attention) >= ANSWERS.indexOf(known)) this.#answers.set(messageId, attention)
  }

  /** Waits for the leadership. Browsers lack locks on pages without TLS: there, each tab notifies, with the same tag. */
  async #lead(signal: AbortSignal): Promise<void> {
    const locks: LockManager | undefined = navigator.locks
    const lead = () => {
      // The lock may be granted just after this tab withdrew.
      if (signal.aborted) return
      this.#leads = true
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    if (locks === undefined) return void lead()
    // If the browser's settings forbid locks, each tab notifies.
    await locks.request(CHANNEL, { signal }, lead).catch(lead)
  }
}

function isAnswer(data: unknown): data is Answer {
  return typeof data === 'object' && data !== null && 'message_id' in data && 'attention' in data
}
