import type { GatewayError } from '@foyer/protocol/gateway'
import { VIDEO_SLOTS, type WatchedPicture } from '@foyer/protocol/voice'
import { isPassing } from './failures.ts'
import { FlagNotifier } from './flag-notifier.ts'
import { watchNonce } from './voice-commands.ts'

interface Watcher {
  watch(watched: readonly WatchedPicture[]): void
}

/** The pictures that a client watches, whatever happens to the connection. */
export class WatchList {
  readonly #notifier: FlagNotifier
  #watched: readonly WatchedPicture[] = []
  /** The driver that has the list, or will have it. */
  #driver: Watcher | undefined

  constructor(intervalMs: number) {
    this.#notifier = new FlagNotifier(() => this.#driver?.watch(this.#watched), intervalMs)
  }

  set(watched: readonly WatchedPicture[]): void {
    const list = watched.slice(0, VIDEO_SLOTS)
    if (isSameList(list, this.#watched)) return
    this.#watched = list
    this.#notifier.changed()
  }

  /** Handles a refusal by the server, of any command. */
  takeRefusal({ code, nonce }: GatewayError, sessionId: string | undefined): void {
    const isOfWatch = sessionId !== undefined && nonce === watchNonce(sessionId)
    // Also an empty list: otherwise the server would go on sending.
    if (isOfWatch && isPassing(code)) this.#notifier.changed()
  }

  /** Sends the list again, because the connection of the gateway was lost. */
  repeat(): void {
    if (this.#watched.length > 0) this.#notifier.changed()
  }

  clear(): void {
    this.#watched = []
  }

  /** Gives a new driver the list. */
  follow(driver: Watcher | undefined): void {
    if (driver === this.#driver) return
    this.#driver = driver
    driver?.watch(this.#watched)
  }

  close(): void {
    this.#notifier.close()
  }
}

function isSameList(one: readonly WatchedPicture[], other: readonly WatchedPicture[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ user_id, source, height }, at) => {
      const same = other[at]
      return user_id === same?.user_id && source === same.source && height === same.height
    })
  )
}
