import type { Logger } from 'pino'
import { findWebhooks } from '../follows/copies.ts'
import type { Follower } from '../follows/followers.ts'
import { remoteAddressOf } from './addresses.ts'
import { attemptsOf, BatchCopying, type BatchDeps } from './batch-copying.ts'
import { type Batch, readBatch } from './batches.ts'
import { delayAfter, jittered } from './delays.ts'
import { FeedError } from './feed.ts'
import { forgetNumbers } from './marks.ts'
import { keepFollow, type RemoteFollowRow, releaseFollow, saveReadTo } from './queries.ts'
import { beginAgain, type Outcome, settleFollow } from './settling.ts'
import { type SubscribingDeps, subscribe } from './subscribing.ts'

export type TurnDeps = BatchDeps & SubscribingDeps & { log: Pick<Logger, 'warn' | 'error'> }

/** Interval between renewals of the lease on the follow, because making copies may take longer than the lease. */
const BEAT_MS = 8000
/**
 * Limits of a turn. After this time or this many batches, the turn begins nothing more, so that a server that sends
 * endless changes does not keep other follows waiting.
 */
const TURN_MS = 120_000
const TURN_BATCHES = 4
const PAUSE_SECONDS = 60
/** Minimum time between turns. */
const LEAST_SECONDS = 2
/** Time between polls of the other server, with and without a subscription. */
const SUBSCRIBED_SECONDS = 60 * 60
const POLL_SECONDS = 5 * 60

/** Copies the new changes of one announcement room of another server to the room that follows it. */
export class FollowTurn {
  readonly #deps: TurnDeps
  readonly #follow: RemoteFollowRow
  readonly #ended = new AbortController()
  readonly #signal: AbortSignal
  readonly #until = performance.now() + TURN_MS
  /** True if the other server answered in this turn or, until it is asked, in the previous one. */
  #isAnswering: boolean

  /** @param closing ends the turn early */
  constructor(deps: TurnDeps, follow: RemoteFollowRow, closing: AbortSignal) {
    this.#deps = deps
    this.#follow = follow
    this.#isAnswering = follow.failing_since === null
    this.#signal = AbortSignal.any([closing, this.#ended.signal])
  }

  /** Runs the turn. Throws nothing, whatever the other server sends. */
  async run(): Promise<void> {
    const { database } = this.#deps
    const { space_id: follower_space_id, webhook_id } = this.#follow
    const beat = setInterval(() => void this.#keep(), BEAT_MS)
    try {
      const [follower] = await findWebhooks(database, [{ webhook_id, follower_space_id }])
      if (follower !== undefined) await this.#serve(follower)
    } finally {
      clearInterval(beat)
      await releaseFollow(database, this.#follow)
    }
  }

  async #keep(): Promise<void> {
    const isKept = await keepFollow(this.#deps.database, this.#follow).catch(() => true)
    if (!isKept) this.#ended.abort(new Error('another turn copies for this follow'))
  }

  async #serve(follower: Follower): Promise<void> {
    const { database, log } = this.#deps
    const outcome = await this.#copy(follower).catch((error: unknown) => {
      // The follow stays due, so that another process takes it.
      if (this.#signal.aborted) return undefined
      log.warn({ err: error, webhook: follower.id }, 'announcements of another server were not copied')
      return this.#failed(error)
    })
    if (outcome === undefined) return
    await settleFollow(database, this.#follow, { outcome, roomId: follower.room_id })
  }

  /**
   * Returns the outcome of a failed turn. After a failed copy, a hub's call does not bring the next attempt forward,
   * because attempts are limited. If the server was not reached, the call does: the server may be back. Attempts are
   * counted from zero once it answers again.
   */
  #failed(error: unknown, before = attemptsOf(this.#follow)): Outcome {
    const isReached = this.#isAnswering && !(error instanceof FeedError)
    const attempts = isReached ? before + 1 : this.#follow.attempts + 1
    const delaySeconds = delayAfter(attempts)
    const leastSeconds = isReached ? delaySeconds : Math.min(delaySeconds, PAUSE_SECONDS)
    return { isReached, attempts, delaySeconds, leastSeconds, names: this.#follow }
  }

  /** @returns undefined if the turn was aborted */
  async #copy(follower: Follower): Promise<Outcome | undefined> {
    const { snapshots } = this.#deps
    const snapshot = await snapshots.find(this.#follow.space_id)
    // The space is deleted, and may be restored.
    if (snapshot === undefined) return this.#unread
    await subscribe(this.#deps, this.#follow, this.#signal)
    const options = { follow: this.#follow, follower, until: this.#until, signal: this.#signal }
    return this.#copyBatches(follower, new BatchCopying(this.#deps, options))
  }

  async #copyBatches(follower: Follower, copying: BatchCopying): Promise<Outcome | undefined> {
    const { database, outgoing } = this.#deps
    const room = remoteAddressOf(this.#follow.feed_url)
    let after = this.#follow.read_to
    for (let count = 1; ; count += 1) {
      const batch = await readBatch(outgoing, room, { after, until: this.#until, signal: this.#signal })
      this.#isAnswering = true
      if (batch.feed.head < after) return this.#beginAgain(follower, batch)
      await copying.run(batch)
      if (this.#signal.aborted) return undefined
      after = batch.readTo
      if (copying.isWhole && !(await saveReadTo(database, this.#follow, after))) return undefined
      const isLate = count === TURN_BATCHES || performance.now() > this.#until
      if (batch.isLast || isLate) return this.#outcomeOf(copying, batch)
    }
  }

  /** Starts over: the other server's log is shorter than before, because the server was restored from a backup. */
  async #beginAgain(follower: Follower, { feed }: Batch): Promise<Outcome> {
    const { database, log } = this.#deps
    log.warn(
      { webhook: follower.id },
      'another server went back to a backup: its announcements are compared again',
    )
    await forgetNumbers(database, follower)
    await beginAgain(database, this.#follow, feed.last_seq)
    return { ...this.#reached, delaySeconds: PAUSE_SECONDS, leastSeconds: PAUSE_SECONDS }
  }

  #outcomeOf(copying: BatchCopying, { feed, isLast }: Batch): Outcome {
    const { waitSeconds, isWhole, failures, hasLeftOut } = copying
    const names = { space_name: feed.space.name, room_name: feed.room.name }
    if (failures > 0) return { ...this.#failed(undefined, hasLeftOut ? 0 : attemptsOf(this.#follow)), names }
    const usual = jittered(this.#follow.has_lease ? SUBSCRIBED_SECONDS : POLL_SECONDS)
    const isLate = !isLast && isWhole
    const delaySeconds = isLate ? PAUSE_SECONDS : Math.min(waitSeconds ?? usual, usual)
    const leastSeconds = isLate ? PAUSE_SECONDS : LEAST_SECONDS
    // While messages wait for their turn, the failed ones have not been retried, so their attempts still count.
    const attempts = isWhole ? 0 : attemptsOf(this.#follow)
    return { ...this.#reached, attempts, names, delaySeconds, leastSeconds }
  }

  /** Outcome of a turn in which the other server was not asked. */
  get #unread(): Outcome {
    const { attempts } = this.#follow
    return { ...this.#reached, isReached: this.#isAnswering, attempts, delaySeconds: SUBSCRIBED_SECONDS }
  }

  get #reached() {
    return { isReached: true, attempts: 0, leastSeconds: LEAST_SECONDS, names: this.#follow }
  }
}
