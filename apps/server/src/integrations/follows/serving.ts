import { setTimeout as delay } from 'node:timers/promises'
import { type ChangeRow, listEarlier, takeTurn } from './changes.ts'
import { type CopyRow, listCopies } from './copies.ts'
import { type CopyingDeps, makeCopy, renewCopy } from './copying.ts'
import { endHidden, type Follower, type FollowerPage, pageFollowers, takesCopies } from './followers.ts'
import { type Found, findOriginals, type Original } from './originals.ts'
import type { FollowRow, Source } from './queries.ts'

/** Time to wait for copies with files before the room continues with its next announcement. */
const PATIENCE_MS = 2000

/** `deleted`: the message was deleted since. The deletion is a change of its own. `waits`: the rate limit is reached. */
export type Outcome = 'served' | 'deleted' | 'unfit' | 'waits' | 'stopped'

/** Brings the copies of one announcement up to date, for all followers. */
export class Serving {
  readonly #deps: CopyingDeps
  readonly #source: Source
  readonly #change: ChangeRow
  readonly #copying = new Set<Promise<void>>()
  #hasTurn = false
  #hasFailed = false
  #isBehind = false

  constructor(deps: CopyingDeps, source: Source, change: ChangeRow) {
    this.#deps = deps
    this.#source = source
    this.#change = change
  }

  /** True while slow copies are still being made. */
  get isOpen(): boolean {
    return this.#copying.size > 0
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** True if a follower must get an earlier announcement before this one. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Resolves once all copies are made, or have failed. */
  async finish(): Promise<void> {
    await Promise.all(this.#copying)
  }

  /** @param keep renews the lease on the room; returns false if the process stops, or has lost the lease */
  async run(keep: () => Promise<boolean>): Promise<Outcome> {
    let hasFiles = false
    for await (const page of pageFollowers(this.#deps, this.#source)) {
      const original = await this.#read()
      if (original === 'deleted' || original === 'unfit') return original
      hasFiles = original.files.length > 0
      if (!(await this.#servePage(page, original))) return 'waits'
      if (!(await keep())) return 'stopped'
    }
    await (hasFiles ? Promise.race([this.finish(), delay(PATIENCE_MS)]) : this.finish())
    return 'served'
  }

  async #read(): Promise<Found> {
    const { message_id: id } = this.#change
    const found = await findOriginals(this.#deps.database, this.#source, [id])
    return found.get(id) ?? 'deleted'
  }

  /** @returns false if the announcement has to wait for the rate limit */
  async #servePage(page: FollowerPage, original: Original): Promise<boolean> {
    const { database, turns } = this.#deps
    const followers = await endHidden(this.#deps, this.#source, page)
    const copies = await listCopies(database, followers, [this.#change.message_id])
    const lacking = await this.#listLacking(page.follows, followers, copies)
    if (lacking.length > 0) this.#hasTurn ||= await takeTurn(database, this.#source, this.#change)
    if (lacking.length > 0 && !this.#hasTurn) return false
    for (const follower of lacking) this.#start(this.#copyTo(follower, original))
    const renew = (copy: CopyRow) =>
      turns.change(this.#source.roomId, () => renewCopy(this.#deps, copy, original))
    await Promise.all(copies.map((copy) => this.#watch(renew(copy))))
    return true
  }

  /**
   * Lists the followers that need a copy now. Those that lack an earlier announcement get it first, so they are left
   * out.
   */
  async #listLacking(
    follows: readonly FollowRow[],
    followers: readonly Follower[],
    copies: readonly CopyRow[],
  ): Promise<Follower[]> {
    const { database } = this.#deps
    const begun = new Map(follows.map(({ webhook_id, after_seq }) => [webhook_id, after_seq]))
    const isDue = ({ id }: Follower, seq: number) => (begun.get(id) ?? seq) < seq
    const served = new Set(copies.map(({ webhook_id }) => webhook_id))
    const candidates = followers.filter(
      (follower) => isDue(follower, this.#change.seq) && !served.has(follower.id),
    )
    const flags = await Promise.all(
      candidates.map((follower) => takesCopies(this.#deps, this.#source, follower)),
    )
    const taking = candidates.filter((_, index) => flags[index])
    const earlier = taking.length === 0 ? [] : await listEarlier(database, this.#source, this.#change)
    if (earlier.length === 0) return taking
    const ids = earlier.map(({ message_id }) => message_id)
    const marks = await listCopies(database, taking, ids)
    const marked = new Set(marks.map(({ webhook_id, source_message_id: id }) => `${webhook_id} ${id}`))
    const ready = taking.filter((follower) =>
      earlier.every(
        ({ message_id, seq }) => !isDue(follower, seq) || marked.has(`${follower.id} ${message_id}`),
      ),
    )
    this.#isBehind ||= ready.length < taking.length
    return ready
  }

  async #copyTo(follower: Follower, original: Original): Promise<void> {
    await makeCopy(this.#deps, { follower, original }, async () => {
      const isWanted = await takesCopies(this.#deps, this.#source, follower)
      const now = isWanted ? await this.#read() : 'deleted'
      return now === 'deleted' || now === 'unfit' ? undefined : now
    })
  }

  #start(copying: Promise<void>): void {
    const watched = this.#watch(copying).finally(() => this.#copying.delete(watched))
    this.#copying.add(watched)
  }

  /** Waits for a copy. A failure does not stop the other copies. */
  async #watch(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#hasFailed = true
      if (!this.#deps.signal.aborted) this.#deps.log.warn({ err: error }, 'an announcement was not copied')
    }
  }
}
