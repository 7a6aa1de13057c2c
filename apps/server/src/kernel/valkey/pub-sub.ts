import { flavours, Link, type LinkEvents } from './link.ts'
import { ShardedLinks } from './sharded-links.ts'
import type { Valkey } from './valkey.ts'

/**
 * Channels between processes. Messages on a channel arrive in order and at most once: a process that was away never
 * receives them.
 */
export class PubSub {
  readonly #link: Link | ShardedLinks

  /**
   * @param events `onUp` is called when all channels are subscribed and publishing works, `onDown` once per loss of
   * either
   */
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

  /** Subscribes to these channels. The link is up after that. Call it once. */
  subscribe(channels: readonly string[]): void {
    this.#link.subscribe(channels)
  }

  /**
   * Resolves when Valkey has accepted the message.
   * @returns the number of receiving connections
   * @throws Error if Valkey is unavailable, or does not answer in time; the message may still have been accepted
   */
  publish(channel: string, payload: string): Promise<number> {
    return this.#link.publish(channel, payload)
  }

  close(): void {
    this.#link.close()
  }
}
