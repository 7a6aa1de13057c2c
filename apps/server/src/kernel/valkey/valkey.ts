import { Redis } from 'ioredis'
import { Availability, type Outages } from './availability.ts'

const MAX_RETRY_MS = 1000
/** A Valkey that does not answer within this time counts as away. */
const COMMAND_TIMEOUT_MS = 1000
const CONNECT_TIMEOUT_MS = 2000

export interface ValkeyOptions extends Outages {
  /** `redis://` or `rediss://`. */
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
  readonly #availability: Availability
  /** For commands whose order does not matter: those of one turn go out together. */
  readonly commands: Redis

  constructor(options: ValkeyOptions) {
    this.#options = options
    this.commands = this.connect({ enableAutoPipelining: true })
    const probe = () => this.commands.set(this.name('probe'), '1', 'PX', 1)
    this.#availability = new Availability(probe, options)
    this.commands.on('ready', () => void this.#availability.look())
    this.commands.on('close', () => this.#availability.doubt())
  }

  get isUp(): boolean {
    return this.#availability.isUp
  }

  get isCluster(): boolean {
    return false
  }

  /** Resolves once it is known whether Valkey is there. */
  get known(): Promise<void> {
    return this.#availability.known
  }

  /**
   * Asks, unless Valkey is away. One that answers late or wrongly counts as away until it takes something again.
   * @throws Error when there is no answer
   */
  async ask<T>(question: (commands: Redis) => Promise<T>): Promise<T> {
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

  /** A connection of its own, whose commands go out in their order. It comes back by itself until it is closed. */
  connect({ enableAutoPipelining = false } = {}): Redis {
    const connection = new Redis(this.#options.url, {
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RETRY_MS),
      enableAutoPipelining,
    })
    connection.on('error', this.#options.onError)
    return connection
  }

  close(): void {
    this.#availability.close()
    this.commands.disconnect()
  }
}
