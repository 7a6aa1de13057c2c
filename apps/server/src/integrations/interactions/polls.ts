import type { Interaction } from '@foyer/protocol/interactions'
import type { Database } from '#src/kernel/database/database.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { countWaiting, release, type Taken, takeNext } from './queries.ts'

/** Interval at which interactions from other processes and ended leases are found. */
const RECHECK_MS = 2000

/** A poll that waits for an interaction of one application. */
interface Waiter {
  isCalled: boolean
  call: () => void
}

/**
 * The polls of this process. Each application has a queue: a new interaction wakes the poll that has waited longest.
 * One query every two seconds finds interactions for all polls.
 */
export class Polls {
  readonly #database: Database
  readonly #waiters = new Map<string, Set<Waiter>>()
  #recheck: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
  }

  receive(events: readonly Event[]): void {
    for (const { name, topic } of events) if (name === 'INTERACTION_CREATE') this.#call(topic.tenantId)
  }

  /**
   * Waits for the application's next interaction and leases it to the caller.
   * @param gone aborted when the poller disconnects
   * @returns undefined after the time limit
   */
  async next(appId: string, timeoutMs: number, gone: AbortSignal): Promise<Taken | undefined> {
    const over = timeoutMs > 0 ? AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)]) : AbortSignal.abort()
    let taken = await this.#look(appId, over)
    while (taken === undefined && !over.aborted && !this.#isClosed) taken = await this.#look(appId, over)
    return taken
  }

  /** Gives back an interaction that its poller did not receive, so that another poll can lease it. */
  async giveBack({ id, application_id }: Interaction, leasedUntil: string): Promise<void> {
    await this.#database.execute(release(id, leasedUntil))
    this.#call(application_id)
  }

  /** Ends all polls. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#recheck)
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.call()
  }

  /**
   * Takes an interaction, or waits to be woken. The waiter is registered before the query, so that no wake-up is lost,
   * and passes a wake-up on if it no longer needs it.
   */
  async #look(appId: string, over: AbortSignal): Promise<Taken | undefined> {
    const called = Promise.withResolvers<void>()
    const waiter: Waiter = { isCalled: false, call: called.resolve }
    over.addEventListener('abort', waiter.call, { once: true })
    this.#add(appId, waiter)
    try {
      const [taken] = await this.#database.execute<Taken>(takeNext(appId))
      const isIdle = taken === undefined && !over.aborted && !this.#isClosed
      if (isIdle) await called.promise
      const isDone = taken !== undefined || over.aborted
      if (isDone && waiter.isCalled) this.#call(appId)
      return taken
    } finally {
      over.removeEventListener('abort', waiter.call)
      this.#remove(appId, waiter)
    }
  }

  #add(appId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(appId) ?? new Set()
    this.#waiters.set(appId, waiters.add(waiter))
    this.#recheck ??= setInterval(() => void this.#callForWaiting(), RECHECK_MS).unref()
  }

  #remove(appId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(appId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#waiters.delete(appId)
    if (this.#waiters.size > 0) return
    clearInterval(this.#recheck)
    this.#recheck = undefined
  }

  #call(appId: string, count = 1): void {
    const waiting = [...(this.#waiters.get(appId) ?? [])].filter(({ isCalled }) => !isCalled)
    for (const waiter of waiting.slice(0, count)) {
      waiter.isCalled = true
      waiter.call()
    }
  }

  async #callForWaiting(): Promise<void> {
    const waiting = await countWaiting(this.#database, [...this.#waiters.keys()]).catch(() => [])
    for (const { application_id, count } of waiting) this.#call(application_id, count)
  }
}
