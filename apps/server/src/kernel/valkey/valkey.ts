import { Redis } from 'ioredis'

const MAX_RETRY_MS = 1000
/** A Valkey that does not answer within this time counts as away. */
const COMMAND_TIMEOUT_MS = 1000

export interface ValkeyOptions {
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
  /** For commands whose order does not matter: those of one turn go out together. */
  readonly commands: Redis

  constructor(options: ValkeyOptions) {
    this.#options = options
    this.commands = this.connect({ enableAutoPipelining: true })
  }

  get isUp(): boolean {
    return this.commands.status === 'ready'
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
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RETRY_MS),
      enableAutoPipelining,
    })
    connection.on('error', this.#options.onError)
    return connection
  }

  close(): void {
    this.commands.disconnect()
  }
}
