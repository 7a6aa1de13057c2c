import type { Cluster, Redis } from 'ioredis'
import { Availability, type Outages } from './availability.ts'
import { type Commands, connectTo, connectToCluster, urlOfNode } from './connecting.ts'

export interface ValkeyOptions extends Outages {
  /** Address with `redis://` or `rediss://`. Several addresses, separated by commas, are servers of one cluster. */
  url: string
  /** Prefix of all keys and channels, so that installations can share a Valkey. */
  prefix: string
  onError: (error: Error) => void
}

/**
 * Connects the processes of an installation. Commands do not wait for an unavailable Valkey: they fail immediately
 * until it is back, and callers have a fallback.
 */
export class Valkey {
  readonly #options: ValkeyOptions
  readonly #urls: readonly [string, ...string[]]
  readonly #availability: Availability
  readonly #client: Redis | Cluster
  /** Undefined for a single server. */
  readonly cluster: Cluster | undefined

  constructor(options: ValkeyOptions) {
    this.#options = options
    const [first = '', ...others] = options.url.split(',').map((url) => url.trim())
    this.#urls = [first, ...others]
    this.cluster = others.length > 0 ? connectToCluster(this.#urls) : undefined
    this.#client = this.cluster ?? connectTo(first, true)
    this.#client.on('error', options.onError)
    this.#availability = new Availability(() => this.#probe(), options)
    this.#client.on('ready', () => void this.#availability.look())
    this.#client.on('close', () => this.#availability.doubt())
  }

  /** Client for commands whose order does not matter. It sends the commands of one turn of the event loop together. */
  get commands(): Commands {
    return this.#client
  }

  get isUp(): boolean {
    return this.#availability.isUp
  }

  /** Resolves when it is known whether Valkey is available. */
  get known(): Promise<void> {
    return this.#availability.known
  }

  /**
   * Runs the commands of `question`, unless Valkey is unavailable. After a late or wrong answer, Valkey counts as
   * unavailable until it accepts a write again.
   * @throws Error if there is no answer
   */
  async ask<T>(question: (commands: Commands) => Promise<T>): Promise<T> {
    if (!this.isUp) throw new Error('Valkey is away')
    try {
      return await question(this.commands)
    } catch (error) {
      this.#availability.doubt(error)
      throw error
    }
  }

  /** Returns the installation's own name for a key or channel. */
  name(name: string): string {
    return `${this.#options.prefix}:${name}`
  }

  /**
   * Opens a separate connection, on which commands stay in order. It reconnects until it is closed.
   * @param node the address of a cluster's server
   */
  connect(node?: string): Redis {
    const [seed] = this.#urls
    const connection = connectTo(node === undefined ? seed : urlOfNode(node, seed))
    connection.on('error', this.#options.onError)
    return connection
  }

  close(): void {
    this.#availability.close()
    this.#client.disconnect()
  }

  async #probe(): Promise<void> {
    await this.commands.set(this.name('probe'), '1', 'PX', 1)
    // Pings all servers of a cluster, because each has a part of the counters.
    await Promise.all(this.cluster?.nodes('master').map((node) => node.ping()) ?? [])
  }
}
