import type { Redis } from 'ioredis'

/** Interval of pings. A connection can be dead without being closed, for example after a cut cable. */
const PING_EVERY_MS = 1000

export interface LinkEvents {
  onMessage(channel: string, payload: string): void
  onUp(): void
  /** Called once per loss. */
  onDown(): void
}

/**
 * The publish and subscribe commands: for a single server, or for a cluster, where each server has separate channels.
 */
interface Flavour {
  message: 'message' | 'smessage'
  publish(publisher: Redis, channel: string, payload: string): Promise<number>
  subscribe(subscriber: Redis, channels: readonly string[]): Promise<void>
}

export const flavours = {
  single: {
    message: 'message',
    publish: (publisher, channel, payload) => publisher.publish(channel, payload),
    async subscribe(subscriber, channels) {
      if (channels.length > 0) await subscriber.subscribe(...channels)
    },
  },
  sharded: {
    message: 'smessage',
    publish: async (publisher, channel, payload) => Number(await publisher.spublish(channel, payload)),
    async subscribe(subscriber, channels) {
      // One by one, because channels of several slots are refused together.
      for (const channel of channels) await subscriber.ssubscribe(channel)
    },
  },
} as const satisfies Record<string, Flavour>

/**
 * Two connections to one server, one to publish and one to subscribe. They reconnect and resubscribe by themselves.
 */
export class Link {
  readonly #publisher: Redis
  readonly #subscriber: Redis
  readonly #flavour: Flavour
  readonly #events: LinkEvents
  readonly #pinging: NodeJS.Timeout
  /** Connections that are closing in order to reconnect. Their further errors have the same cause, and are ignored. */
  readonly #leaving = new Set<Redis>()
  /** Undefined until `subscribe` is called. */
  #channels: readonly string[] | undefined
  /** True if the server has confirmed all channels on the current connection. */
  #isConfirmed = false
  #isUp = false

  constructor(connect: () => Redis, flavour: Flavour, events: LinkEvents) {
    this.#publisher = connect()
    this.#subscriber = connect()
    this.#flavour = flavour
    this.#events = events
    this.#publisher.on('ready', () => this.#rise())
    this.#publisher.on('close', () => this.#fall())
    this.#subscriber.on('ready', () => void this.#confirm())
    this.#subscriber.on('close', () => this.#fallSilent())
    // Another server of the cluster has the channel now.
    this.#subscriber.on('moved', () => this.#reconnect(this.#subscriber))
    this.#subscriber.on(flavour.message, (channel: string, payload: string) => {
      if (this.#isConfirmed) events.onMessage(channel, payload)
    })
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS).unref()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Subscribes to these channels. Call it once. */
  subscribe(channels: readonly string[]): void {
    this.#channels = channels
    if (this.#subscriber.status === 'ready') void this.#confirm()
  }

  /**
   * Resolves when the server has accepted the message.
   * @returns the number of receivers
   * @throws Error if it is unavailable, or does not answer in time; the message may still have been accepted
   */
  async publish(channel: string, payload: string): Promise<number> {
    try {
      return await this.#flavour.publish(this.#publisher, channel, payload)
    } catch (error) {
      // Reconnects, because later messages must not seem to follow a missing one.
      this.#reconnect(this.#publisher)
      throw error
    }
  }

  close(): void {
    clearInterval(this.#pinging)
    this.#isConfirmed = false
    this.#isUp = false
    this.#publisher.disconnect()
    this.#subscriber.disconnect()
  }

  async #confirm(): Promise<void> {
    if (this.#channels === undefined) return
    try {
      await this.#flavour.subscribe(this.#subscriber, this.#channels)
    } catch {
      return this.#reconnect(this.#subscriber)
    }
    this.#isConfirmed = true
    this.#rise()
  }

  #ping(): void {
    for (const connection of [this.#publisher, this.#subscriber]) {
      if (connection.status === 'ready') connection.ping().catch(() => this.#reconnect(connection))
    }
  }

  #reconnect(connection: Redis): void {
    if (connection.status !== 'ready' || this.#leaving.has(connection)) return
    this.#leaving.add(connection)
    connection.once('close', () => this.#leaving.delete(connection))
    connection.disconnect(true)
    // Does not wait for the connection's end, which a hanging server delays.
    if (connection === this.#subscriber) this.#fallSilent()
    else this.#fall()
  }

  #rise(): void {
    if (this.#isUp || !this.#isConfirmed || this.#publisher.status !== 'ready') return
    this.#isUp = true
    this.#events.onUp()
  }

  #fallSilent(): void {
    this.#isConfirmed = false
    this.#fall()
  }

  #fall(): void {
    if (!this.#isUp) return
    this.#isUp = false
    this.#events.onDown()
  }
}
