import type { GatewayError } from '@foyer/protocol/gateway'
import { VIDEO_SLOTS, type WatchedPicture } from '@foyer/protocol/voice'
import { isPassing } from './failures.ts'
import { FlagNotifier } from './flag-notifier.ts'
import { watchNonce } from './voice-commands.ts'

interface Watcher {
  watch(watched: readonly WatchedPicture[]): void
}

/** The pictures that a client watches. The list survives a lost connection. */
export class WatchList {
  readonly #notifier: FlagNotifier
  #watched: readonly WatchedPicture[] = []
  /** The current driver, which sends the list to the server. */
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

  /** Handles any refused command: sends the list again if its refusal is temporary. */
  takeRefusal({ code, nonce }: GatewayError, sessionId: string | undefined): void {
    const isOfWatch = sessionId !== undefined && nonce === watchNonce(sessionId)
    // Sends even an empty list again: otherwise the server would continue to send pictures.
    if (isOfWatch && isPassing(code)) this.#notifier.changed()
  }

  /** Sends the list again, because the gateway was disconnected. */
  repeat(): void {
    if (this.#watched.length > 0) this.#notifier.changed()
  }

  clear(): void {
    this.#watched = []
  }

  /** Passes the list to a new driver. */
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
