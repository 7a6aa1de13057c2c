import type { Metrics } from '../metrics.ts'
import type { PubSub } from '../valkey/pub-sub.ts'
import type { Valkey } from '../valkey/valkey.ts'
import { type Beat, encodeBeat } from './beats.ts'
import { beatChannels } from './channels.ts'

/** Time during which beats announce a loss, so that every process receives the announcement. */
const LOSS_ANNOUNCED_MS = 5000

export interface PublisherDeps {
  processId: string
  pubSub: PubSub
  valkey: Valkey
  metrics: Metrics
}

/** A loss: some events from `since` on (milliseconds since 1970) could not be published. */
interface Loss {
  readonly since: number
  /** Time when Valkey first accepted a beat with this loss on all channels, by `performance.now()`. */
  announcedSince: number | undefined
}

/** Publishes for a process, and announces the events it could not publish. */
export class Publisher {
  readonly #deps: PublisherDeps
  #loss: Loss | undefined

  constructor(deps: PublisherDeps) {
    this.#deps = deps
  }

  /** @returns whether Valkey accepted the payload; otherwise the following beats announce the loss */
  async publish(channel: string, payload: string): Promise<boolean> {
    const beganAt = Date.now()
    try {
      await this.#deps.pubSub.publish(this.#deps.valkey.name(channel), payload)
      return true
    } catch {
      this.#deps.metrics.lostPublishes.inc()
      this.#lose(beganAt)
      return false
    }
  }

  async beat(isLeaving: boolean): Promise<void> {
    const { announcedSince } = this.#loss ?? {}
    if (announcedSince !== undefined && performance.now() - announcedSince > LOSS_ANNOUNCED_MS)
      this.#loss = undefined
    const announced = this.#loss
    const beat: Beat = {
      process_id: this.#deps.processId,
      wall: Date.now(),
      monotonic: performance.now(),
      lost_since: announced?.since ?? null,
      is_leaving: isLeaving,
    }
    const payload = encodeBeat(beat)
    const results = await Promise.all(beatChannels.map((channel) => this.publish(channel, payload)))
    if (announced !== undefined && !results.includes(false)) announced.announcedSince ??= performance.now()
  }

  /** Records that events were lost. Receivers repair an announced loss, so a later failure is a new one. */
  #lose(since: number): void {
    if (this.#loss === undefined || this.#loss.announcedSince !== undefined)
      this.#loss = { since, announcedSince: undefined }
  }
}
