import { Link, type LinkEvents } from './link.ts'
import type { Valkey } from './valkey.ts'

/**
 * Channels between processes. What one process publishes on a channel is heard there in its order, at most once: who was
 * away hears nothing of it afterwards.
 */
export class PubSub {
  readonly #link: Link

  /** @param events `onUp` comes when all channels are heard and publishing works, `onDown` once for each loss of either */
  constructor(valkey: Valkey, events: LinkEvents) {
    this.#link = new Link(() => valkey.connect(), 'whole', events)
  }

  get isUp(): boolean {
    return this.#link.isUp
  }

  /** Hears these channels from now on, and no others. It is up only when it does. */
  subscribe(channels: readonly string[]): void {
    this.#link.subscribe(channels)
  }

  /**
   * Resolves when Valkey has taken it.
   * @throws Error when Valkey is away, or does not answer in time: then it may have taken it or not
   */
  publish(channel: string, payload: string): Promise<void> {
    return this.#link.publish(channel, payload)
  }

  close(): void {
    this.#link.close()
  }
}
