import type { Logger } from 'pino'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { findWebhooks } from '../follows/copies.ts'
import type { Follower } from '../follows/followers.ts'
import { type RemoteAddress, remoteAddressOf } from './addresses.ts'
import type { Batch } from './batches.ts'
import {
  deleteRemoteCopies,
  makeRemoteCopy,
  type RemoteCopyDeps,
  type RemoteSource,
  renewRemoteCopy,
} from './copies.ts'
import type { Change, ShownChange } from './feed-changes.ts'
import { FileFetchError } from './files.ts'
import { forgetGone, listMarks, type MarkRow, markGone, skipChange } from './marks.ts'
import type { RemoteFollowRow } from './queries.ts'
import { passOver, takeRemoteTurn } from './settling.ts'

export type BatchDeps = RemoteCopyDeps & { snapshots: Snapshots; log: Pick<Logger, 'warn' | 'error'> }

/** Failed attempts after which a message is left out, so that it does not stop the others. */
const MAX_ATTEMPTS = 10
/** Attempts for which a message waits for a file. Later attempts copy the message without the file. */
const FILE_ATTEMPTS = 3

/** Time after which a changed follower is tried again. */
const CHANGED_SECONDS = 2

/** The follower changed while a message was being copied. This does not count as a failed attempt. */
class FollowerChange extends Error {}

interface Options {
  follow: RemoteFollowRow
  follower: Follower
  /** Time after which new messages wait for the next turn, by `performance.now()`. */
  until: number
  signal: AbortSignal
}

/** Brings the copies of one follow up to date with changes from another server. */
export class BatchCopying {
  readonly #deps: BatchDeps
  readonly #options: Options
  readonly #room: RemoteAddress
  /** Seconds until the next new message may be copied; undefined while none has to wait. Edits and deletions never wait. */
  waitSeconds: number | undefined
  failures = 0
  /**
   * True once a message was left out after its last attempt. At most one message is left out per turn, because attempts
   * are counted for the whole follow.
   */
  hasLeftOut = false
  /** Messages up to this `seq` are not copied. */
  #afterSeq: number
  /** True once a message waits for its file. Later messages then wait as well, so that they keep their order. */
  #isWaitingForFile = false

  constructor(deps: BatchDeps, options: Options) {
    this.#deps = deps
    this.#options = options
    this.#afterSeq = options.follow.after_seq
    this.#room = remoteAddressOf(options.follow.feed_url)
  }

  /** True if everything so far was copied, or needs no copy. */
  get isWhole(): boolean {
    return this.waitSeconds === undefined && this.failures === 0
  }

  async run({ changes, feed }: Batch): Promise<void> {
    const { database, log, snapshots } = this.#deps
    const { follower } = this.#options
    const ids = changes.map(({ id }) => id)
    const listed = await listMarks(database, follower, ids)
    const marks = new Map(listed.map((mark) => [mark.source_message_id, mark]))
    await this.#remove(changes, marks)
    const shown = changes.filter((change) => change.kind === 'there')
    await this.#renew(shown, marks)
    const space = await snapshots.find(follower.space_id)
    if (space?.space.frozen_at !== null) return this.#passOver(shown)
    const names = { space_name: feed.space.name, room_name: feed.room.name }
    await this.#make(this.#fresh(shown, marks), { marks, source: { ...this.#room, ...names } })
    const malformed = changes.filter(({ kind }) => kind === 'malformed')
    if (malformed.length > 0)
      log.warn(
        { webhook: follower.id, messages: malformed.length },
        'another server sent malformed announcements',
      )
  }

  /** Skips new messages, because a frozen space takes none. They are not copied later. */
  async #passOver(shown: readonly ShownChange[]): Promise<void> {
    this.#afterSeq = Math.max(this.#afterSeq, ...shown.map(({ message }) => message.seq))
    await passOver(this.#deps.database, this.#options.follow, this.#afterSeq)
  }

  async #remove(changes: readonly Change[], marks: ReadonlyMap<string, MarkRow>): Promise<void> {
    const gone = changes.filter(({ kind }) => kind === 'gone')
    if (gone.length === 0) return
    await this.#attempt(async () => {
      await markGone(this.#deps.database, this.#options.follower, gone)
      await deleteRemoteCopies(
        this.#deps,
        gone.flatMap(({ id, number }) => {
          const mark = marks.get(id)
          return mark === undefined || mark.source_number > number ? [] : [{ mark, number }]
        }),
      )
    })
  }

  async #renew(shown: readonly ShownChange[], marks: ReadonlyMap<string, MarkRow>): Promise<void> {
    for (const change of shown) {
      const mark = marks.get(change.id)
      if (mark === undefined || mark.source_number >= change.number || this.#options.signal.aborted) continue
      const renew = () => renewRemoteCopy(this.#deps, this.#options.follower, mark, change)
      await this.#attempt(renew, () => skipChange(this.#deps.database, mark, change.number))
    }
  }

  /** Returns the messages without a copy, in the order in which they were written. */
  #fresh(shown: readonly ShownChange[], marks: ReadonlyMap<string, MarkRow>): ShownChange[] {
    const isLacking = ({ id, number, message }: ShownChange) => {
      const mark = marks.get(id)
      const isGone = mark?.message_id === null && mark.source_number < number
      return message.seq > this.#afterSeq && (mark === undefined || isGone)
    }
    return shown.filter(isLacking).toSorted((one, other) => one.message.seq - other.message.seq)
  }

  async #make(
    fresh: readonly ShownChange[],
    { marks, source }: { marks: ReadonlyMap<string, MarkRow>; source: RemoteSource },
  ): Promise<void> {
    const { database } = this.#deps
    const { follow, follower, signal, until } = this.#options
    const recheck = () => this.#checkRoom()
    const mayWait = attemptsOf(follow) < FILE_ATTEMPTS
    for (const change of fresh) {
      if (this.waitSeconds !== undefined || this.#isWaitingForFile || signal.aborted) return
      if (performance.now() > until) {
        this.waitSeconds = 0
        return
      }
      this.waitSeconds = await takeRemoteTurn(database, follow)
      if (this.waitSeconds !== undefined) return
      const make = async () => {
        const mark = marks.get(change.id)
        if (mark !== undefined) await forgetGone(database, mark, change.number)
        await makeRemoteCopy(this.#deps, { follower, source }, change, { mayWait, recheck, signal })
      }
      await this.#attempt(make, () => markGone(database, follower, [change]))
    }
  }

  /** @throws FollowerChange if the room or the space no longer takes copies */
  async #checkRoom(): Promise<void> {
    const { database, snapshots } = this.#deps
    const { space_id: follower_space_id, id: webhook_id, room_id } = this.#options.follower
    const [now] = await findWebhooks(database, [{ webhook_id, follower_space_id }])
    const snapshot = await snapshots.find(follower_space_id)
    const takesCopies = now?.room_id === room_id && snapshot?.space.frozen_at === null
    if (!takesCopies) throw new FollowerChange('the follower was frozen, moved or deleted in the meantime')
  }

  /**
   * Applies one change. A failure does not stop the other changes; the next turn tries the change again.
   * @param leaveOut marks that the change is not tried again; undefined for deletions, which are never left out
   */
  async #attempt(work: () => Promise<void>, leaveOut?: () => Promise<void>): Promise<void> {
    await work().catch(async (error: unknown) => {
      if (!this.#options.signal.aborted) await this.#fail(error, leaveOut)
    })
  }

  async #fail(error: unknown, leaveOut: (() => Promise<void>) | undefined): Promise<void> {
    const { log } = this.#deps
    const { follow, follower } = this.#options
    const facts = { err: error, webhook: follower.id }
    if (error instanceof FollowerChange) {
      this.waitSeconds = CHANGED_SECONDS
      return
    }
    if (error instanceof FileFetchError) this.#isWaitingForFile = true
    const isLast = attemptsOf(follow) + 1 >= MAX_ATTEMPTS && !this.hasLeftOut
    if (leaveOut !== undefined && isLast) {
      await leaveOut()
      this.hasLeftOut = true
      return log.error(facts, 'an announcement of another server was left out')
    }
    this.failures += 1
    log.warn(facts, 'an announcement of another server was not copied')
  }
}

/** Returns the failed attempts at copying. Failures to reach the other server do not count. */
export function attemptsOf({ attempts, failing_since }: RemoteFollowRow): number {
  return failing_since === null ? attempts : 0
}
