import { flavours, Link, type LinkEvents } from './link.ts'
import { ShardedLinks } from './sharded-links.ts'
import type { Valkey } from './valkey.ts'

/**
 * Channels between processes. What one process publishes on a channel is heard there in its order, at most once: who was
 * away hears nothing of it afterwards.
 */
export class PubSub {
  readonly #link: Link | ShardedLinks

  /** @param events `onUp` comes when all channels are heard and publishing works, `onDown` once for each loss of either */
  constructor(valkey: Valkey, events: LinkEvents) {
    const { cluster } = valkey
    this.#link =
      cluster === undefined
        ? new Link(() => valkey.connect(), flavours.single, events)
        : new ShardedLinks(valkey, cluster, events)
  }

  get isUp(): boolean {
    return this.#link.isUp
  }

  /** Hears these channels from now on; it is up only when it does. To be called once. */
  subscribe(channels: readonly string[]): void {
    this.#link.subscribe(channels)
  }

  /**
   * Resolves when Valkey has taken it.
   * @returns how many connections it was sent to
   * @throws Error when Valkey is away, or does not answer in time: then it may have taken it or not
   */
  publish(channel: string, payload: string): Promise<number> {
    return this.#link.publish(channel, payload)
  }

  close(): void {
    this.#link.close()
  }
}
