import type { Logger } from 'pino'
import type { SendDeps } from '#src/messages/writing.ts'
import {
  type ChangeRow,
  lease,
  listDueChanges,
  postpone,
  release,
  settleChanges,
  takeTurn,
} from './changes.ts'
import { type CopyRow, findWebhooks, listCopies, preventCopies } from './copies.ts'
import { deleteCopies, type Follower, makeCopy, renewCopy } from './copying.ts'
import { findOriginals, type Original } from './originals.ts'
import { deleteFollows, type FollowRow, listFollows, type Source } from './queries.ts'

export type CopyingDeps = SendDeps & { log: Pick<Logger, 'warn' | 'error'> }

/** Changes read at once, and followers served at once. */
const CHANGES = 50
const FOLLOWERS = 100
const CONCURRENT_COPIES = 20
/** Each takes a connection, which others need, too. */
const CONCURRENT_CHANGES = 3
/** How often the room is kept while copies are made, which may take long. */
const BEAT_MS = 2000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Copies the changes of one announcement room to all rooms that follow it. */
export class RoomCopying {
  readonly #deps: CopyingDeps
  readonly #source: Source
  readonly #leaseId: string
  readonly #signal: AbortSignal

  /** @param options `leaseId` is that of this process */
  constructor(deps: CopyingDeps, options: { source: Source; leaseId: string; signal: AbortSignal }) {
    this.#deps = deps
    this.#source = options.source
    this.#leaseId = options.leaseId
    this.#signal = options.signal
  }

  /** Copies all changes that are due, unless another process does. */
  async run(): Promise<void> {
    if (!(await this.#keep())) return
    const beat = setInterval(() => this.#keep().catch(() => undefined), BEAT_MS)
    try {
      while (await this.#copySome());
    } finally {
      clearInterval(beat)
      await release(this.#deps.database, this.#source, this.#leaseId)
    }
  }

  /** Returns whether this process still has the room, and goes on. */
  async #keep(): Promise<boolean> {
    return !this.#signal.aborted && (await lease(this.#deps.database, this.#source, this.#leaseId))
  }

  /** @returns false if nothing is left to do */
  async #copySome(): Promise<boolean> {
    const { database } = this.#deps
    const changes = await listDueChanges(database, this.#source, CHANGES)
    if (changes.length === 0) return false
    const ids = changes.map(({ message_id }) => message_id)
    const found = await findOriginals(database, this.#source, ids)
    const deleted = changes.filter(({ message_id }) => found.get(message_id) === 'deleted')
    if (!(await this.#deleteAll(deleted))) return false
    for (const change of changes) {
      const original = found.get(change.message_id)
      if (original === undefined || original === 'deleted') continue
      if (!(await this.#keep())) return false
      if (original === 'unfit') await settleChanges(database, this.#source, [change])
      else await this.#copyOne(change, original)
    }
    return true
  }

  async #copyOne(change: ChangeRow, original: Original): Promise<void> {
    const { database, log } = this.#deps
    const outcome = await this.#serveAll(change, original)
    if (outcome === 'copied') await settleChanges(database, this.#source, [change])
    if (outcome !== 'failed') return
    const isLeft = await postpone(database, this.#source, change)
    if (!isLeft) log.error({ message: change.message_id }, 'an announcement could not be copied everywhere')
  }

  /** Brings the copies of all followers to the state of the announcement, page by page. */
  async #serveAll(change: ChangeRow, original: Original): Promise<'copied' | 'waits' | 'failed' | 'stopped'> {
    let hasTurn = false
    let isWhole = true
    for await (const { follows, followers } of this.#pages()) {
      const copies = await listCopies(this.#deps.database, followers, [change.message_id])
      const lacking = withoutCopy(followers, { follows, copies, seq: change.seq })
      hasTurn ||= lacking.length === 0 ? false : await takeTurn(this.#deps.database, this.#source, change)
      if (lacking.length > 0 && !hasTurn) return 'waits'
      const made = await this.#each(lacking, CONCURRENT_COPIES, (follower) =>
        makeCopy(this.#deps, follower, original),
      )
      const renewed = await this.#each(copies, CONCURRENT_CHANGES, (copy) =>
        renewCopy(this.#deps, copy, original),
      )
      isWhole &&= made && renewed
      if (!(await this.#keep())) return 'stopped'
    }
    return isWhole ? 'copied' : 'failed'
  }

  /** Deletes the copies of deleted announcements. @returns false if the process stops */
  async #deleteAll(changes: readonly ChangeRow[]): Promise<boolean> {
    if (changes.length === 0) return true
    const { database } = this.#deps
    const ids = changes.map(({ message_id }) => message_id)
    const newest = Math.max(...changes.map(({ seq }) => seq))
    let isWhole = true
    for await (const { follows, followers } of this.#pages()) {
      const concerned = new Set(
        follows.filter(({ after_seq }) => after_seq < newest).map((row) => row.webhook_id),
      )
      await preventCopies(
        database,
        followers.filter(({ id }) => concerned.has(id)),
        ids,
      )
      const copies = await listCopies(database, followers, ids)
      const byRoom = Map.groupBy(
        copies.filter(({ message_id }) => message_id !== null),
        ({ webhook_id, room_id }) => `${webhook_id} ${room_id}`,
      )
      const done = await this.#each([...byRoom.values()], CONCURRENT_CHANGES, (some) =>
        deleteCopies(this.#deps, some),
      )
      isWhole &&= done
      if (!(await this.#keep())) return false
    }
    if (isWhole) await settleChanges(database, this.#source, changes)
    else for (const change of changes) await postpone(database, this.#source, change)
    return true
  }

  /** Goes through the followers, and forgets those that no longer exist. */
  async *#pages(): AsyncGenerator<{ follows: FollowRow[]; followers: Follower[] }> {
    const { database, snapshots } = this.#deps
    let after = FIRST_ID
    while (true) {
      const follows = await listFollows(database, this.#source, { after, limit: FOLLOWERS })
      const webhooks = await findWebhooks(database, follows)
      const there = new Set(webhooks.map(({ id }) => id))
      const gone = follows.filter(({ webhook_id }) => !there.has(webhook_id))
      await this.#end(gone)
      const spaces = await Promise.all(webhooks.map(({ space_id }) => snapshots.find(space_id)))
      // A frozen space takes no messages, and these are not made up for.
      const followers = webhooks.filter((_, index) => spaces[index]?.space.frozen_at === null)
      yield { follows, followers }
      const last = follows.at(-1)
      if (last === undefined || follows.length < FOLLOWERS) return
      after = last.webhook_id
    }
  }

  async #end(follows: readonly FollowRow[]): Promise<void> {
    if (follows.length === 0) return
    const ids = follows.map(({ webhook_id }) => webhook_id)
    await this.#deps.database.transaction((transaction) => deleteFollows(transaction, this.#source, ids))
  }

  /** A follower that cannot take a copy does not stop the others. @returns false if one failed */
  async #each<Item>(
    items: readonly Item[],
    concurrent: number,
    serve: (item: Item) => Promise<void>,
  ): Promise<boolean> {
    let isWhole = true
    for (let start = 0; start < items.length; start += concurrent) {
      const served = await Promise.allSettled(items.slice(start, start + concurrent).map(serve))
      const failures = served.filter((outcome) => outcome.status === 'rejected')
      for (const { reason } of failures)
        this.#deps.log.warn({ err: reason }, 'an announcement was not copied')
      isWhole &&= failures.length === 0
    }
    return isWhole
  }
}

/** Returns the followers that began before the message, and have no copy of it. */
function withoutCopy(
  followers: readonly Follower[],
  { follows, copies, seq }: { follows: readonly FollowRow[]; copies: readonly CopyRow[]; seq: number },
): Follower[] {
  const served = new Set(copies.map(({ webhook_id }) => webhook_id))
  const begun = new Set(
    follows.filter(({ after_seq }) => after_seq < seq).map(({ webhook_id }) => webhook_id),
  )
  return followers.filter(({ id }) => begun.has(id) && !served.has(id))
}
