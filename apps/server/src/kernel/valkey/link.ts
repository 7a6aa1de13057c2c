import type { Redis } from 'ioredis'

/** A connection can be dead without an end, after a cut cable: then it does not answer this. */
const PING_EVERY_MS = 1000

export interface LinkEvents {
  onMessage(channel: string, payload: string): void
  onUp(): void
  /** Once for each loss. */
  onDown(): void
}

/** The commands of publishing and subscribing, which have other names in a cluster. */
export type PubSubFlavour = 'whole' | 'sharded'

/**
 * Two connections to one server: what is published goes out in its order on the first, what is heard comes in on the
 * second. They come back by themselves, and subscribe again.
 */
export class Link {
  readonly #publisher: Redis
  readonly #subscriber: Redis
  readonly #flavour: PubSubFlavour
  readonly #events: LinkEvents
  readonly #pinging: NodeJS.Timeout
  #channels: readonly string[] = []
  /** Whether the server has confirmed all channels on the present connection. */
  #isConfirmed = false
  #isUp = false

  constructor(connect: () => Redis, flavour: PubSubFlavour, events: LinkEvents) {
    this.#publisher = connect()
    this.#subscriber = connect()
    this.#flavour = flavour
    this.#events = events
    this.#publisher.on('ready', () => this.#rise())
    this.#publisher.on('close', () => this.#fall())
    this.#subscriber.on('ready', () => void this.#confirm())
    this.#subscriber.on('close', () => this.#fallSilent())
    this.#subscriber.on(flavour === 'whole' ? 'message' : 'smessage', (channel: string, payload: string) => {
      if (this.#isConfirmed) events.onMessage(channel, payload)
    })
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS).unref()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Hears these channels from now on, and no others. */
  subscribe(channels: readonly string[]): void {
    this.#channels = channels
    if (this.#subscriber.status === 'ready') void this.#confirm()
  }

  /**
   * Resolves when the server has taken it.
   * @throws Error when it is away, or does not answer in time: then it may have taken it or not
   */
  async publish(channel: string, payload: string): Promise<void> {
    try {
      if (this.#flavour === 'whole') await this.#publisher.publish(channel, payload)
      else await this.#publisher.spublish(channel, payload)
    } catch (error) {
      // What comes after must not seem to follow on what is missing.
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
    if (this.#channels.length === 0) return
    try {
      if (this.#flavour === 'whole') await this.#subscriber.subscribe(...this.#channels)
      else for (const channel of this.#channels) await this.#subscriber.ssubscribe(channel)
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
    if (connection.status !== 'ready') return
    connection.disconnect(true)
    // A server that hangs takes a while to let go of a connection.
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
