import type { Cluster, Redis } from 'ioredis'
import { Availability, type Outages } from './availability.ts'
import { type Commands, connectTo, connectToCluster, urlOfNode } from './connecting.ts'

export interface ValkeyOptions extends Outages {
  /** `redis://` or `rediss://`; several, separated by commas, are servers of one cluster. */
  url: string
  /** What the names of all keys and channels begin with: installations that share a Valkey do not meet. */
  prefix: string
  onError: (error: Error) => void
}

/**
 * What joins the processes of an installation. Nothing waits for a Valkey that is away: commands fail at once until it is
 * back, and whoever asks has something else to fall back on.
 */
export class Valkey {
  readonly #options: ValkeyOptions
  readonly #urls: readonly [string, ...string[]]
  readonly #availability: Availability
  readonly #client: Redis | Cluster
  /** Undefined for a Valkey that is one server. */
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

  /** For commands whose order does not matter: those of one turn go out together. */
  get commands(): Commands {
    return this.#client
  }

  get isUp(): boolean {
    return this.#availability.isUp
  }

  /** Resolves once it is known whether Valkey is there. */
  get known(): Promise<void> {
    return this.#availability.known
  }

  /**
   * Asks, unless Valkey is away. One that answers late or wrongly counts as away until it takes something again.
   * @throws Error when there is no answer
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

  /** The name of a key or a channel as this installation has it. */
  name(name: string): string {
    return `${this.#options.prefix}:${name}`
  }

  /**
   * A connection of its own, whose commands go out in their order. It comes back by itself until it is closed.
   * @param node the address of a server of the cluster
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
    // Each has a part of what is counted.
    await Promise.all(this.cluster?.nodes('master').map((node) => node.ping()) ?? [])
  }
}
