import type { Metrics } from '../metrics.ts'
import type { PubSub } from '../valkey/pub-sub.ts'
import type { Valkey } from '../valkey/valkey.ts'
import { type Beat, encodeBeat } from './beats.ts'
import { beatChannels } from './channels.ts'

/** A loss is told this long, so that every process hears of it. */
const LOSS_TOLD_MS = 5000

export interface PublisherDeps {
  processId: string
  pubSub: PubSub
  valkey: Valkey
  metrics: Metrics
}

/** What could not be published since then, in milliseconds since 1970. */
interface Loss {
  readonly since: number
  /** When all who hear us first heard of it, by `performance.now()`. */
  toldSince: number | undefined
}

/** Publishes for a process, and tells the others what it could not publish. */
export class Publisher {
  readonly #deps: PublisherDeps
  #loss: Loss | undefined

  constructor(deps: PublisherDeps) {
    this.#deps = deps
  }

  /** @returns whether Valkey has taken it; what it has not is told as lost by the beats that follow */
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
    const { toldSince } = this.#loss ?? {}
    if (toldSince !== undefined && performance.now() - toldSince > LOSS_TOLD_MS) this.#loss = undefined
    const told = this.#loss
    const beat: Beat = {
      process_id: this.#deps.processId,
      wall: Date.now(),
      monotonic: performance.now(),
      lost_since: told?.since ?? null,
      is_leaving: isLeaving,
    }
    const payload = encodeBeat(beat)
    const results = await Promise.all(beatChannels.map((channel) => this.publish(channel, payload)))
    if (told !== undefined && !results.includes(false)) told.toldSince ??= performance.now()
  }

  /** What was told is made up for by those who heard it: whatever fails from then on is another loss. */
  #lose(since: number): void {
    if (this.#loss === undefined || this.#loss.toldSince !== undefined)
      this.#loss = { since, toldSince: undefined }
  }
}
