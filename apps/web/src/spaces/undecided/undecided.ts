import { MAX_PAGE } from '@foyer/protocol/limits'
import { Appeals } from '@foyer/sdk/api/appeals'
import { Reports } from '@foyer/sdk/api/reports'
import type { Client } from '@foyer/sdk/client'

/** Numbers of pending reports and appeals. `MAX_PAGE` means at least that many. */
export interface Undecided {
  /** Reports that no moderator has taken. */
  readonly reports: number
  readonly appeals: number
}

type Kind = keyof Undecided

const NOTHING: Undecided = { reports: 0, appeals: 0 }
/** Delay before a number is requested again, so that many changes at once cause few requests. */
const SETTLE_MS = 500

/** Counts pending reports and appeals of one space while a component shows them. All components share its requests. */
export class UndecidedCounter {
  readonly #client: Client
  readonly #spaceId: string
  readonly #watchers = new Map<() => void, readonly Kind[]>()
  readonly #timers = new Map<Kind, ReturnType<typeof setTimeout>>()
  #stop: (() => void) | null = null
  #counts = NOTHING

  constructor(client: Client, spaceId: string) {
    this.#client = client
    this.#spaceId = spaceId
  }

  get counts(): Undecided {
    return this.#counts
  }

  /**
   * Keeps the numbers of undecided items current, and calls the listener when one changes.
   * @param kinds kinds of items that the user may decide
   * @returns a function that removes the listener
   */
  watch(kinds: readonly Kind[], onChange: () => void): () => void {
    const isNew = kinds.filter((kind) => !this.#kinds().has(kind))
    this.#watchers.set(onChange, kinds)
    this.#stop ??= this.#listen()
    for (const kind of isNew) void this.#count(kind)
    return () => {
      this.#watchers.delete(onChange)
      this.#forgetUnwatched()
    }
  }

  #kinds(): ReadonlySet<Kind> {
    return new Set([...this.#watchers.values()].flat())
  }

  #listen(): () => void {
    const { gateway } = this.#client
    const ends = [
      gateway.on('REPORTS_UPDATE', ({ space_id }) => this.#changed(space_id, 'reports')),
      gateway.on('APPEALS_UPDATE', ({ space_id }) => this.#changed(space_id, 'appeals')),
      // Events may have been missed while disconnected.
      gateway.on('READY', () => this.#countAll()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  #countAll(): void {
    for (const kind of this.#kinds()) void this.#count(kind)
  }

  #changed(spaceId: string, kind: Kind): void {
    if (spaceId !== this.#spaceId || this.#timers.has(kind) || !this.#kinds().has(kind)) return
    const later = () => {
      this.#timers.delete(kind)
      void this.#count(kind)
    }
    this.#timers.set(kind, setTimeout(later, SETTLE_MS))
  }

  async #count(kind: Kind): Promise<void> {
    const count = await (kind === 'reports' ? this.#readReports() : this.#readAppeals()).catch(() => null)
    // If the request fails, the old number stays: the next event or connection repeats the request.
    if (count !== null && this.#kinds().has(kind)) this.#set({ ...this.#counts, [kind]: count })
  }

  async #readReports(): Promise<number> {
    const page = await this.#client.api(Reports).list(this.#spaceId)
    return page.length < MAX_PAGE ? page.filter(({ state }) => state === 'open').length : MAX_PAGE
  }

  async #readAppeals(): Promise<number> {
    return (await this.#client.api(Appeals).list(this.#spaceId)).length
  }

  #set(counts: Undecided): void {
    if (counts.reports === this.#counts.reports && counts.appeals === this.#counts.appeals) return
    this.#counts = counts
    for (const onChange of this.#watchers.keys()) onChange()
  }

  /** Clears the numbers that no watcher needs any more. Stops listening if there are no watchers. */
  #forgetUnwatched(): void {
    const kinds = this.#kinds()
    this.#counts = {
      reports: kinds.has('reports') ? this.#counts.reports : 0,
      appeals: kinds.has('appeals') ? this.#counts.appeals : 0,
    }
    if (this.#watchers.size > 0) return
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#stop?.()
    this.#stop = null
  }
}

const counters = new WeakMap<Client, Map<string, UndecidedCounter>>()

export function undecidedCounter(client: Client, spaceId: string): UndecidedCounter {
  const ofClient = counters.get(client) ?? new Map<string, UndecidedCounter>()
  counters.set(client, ofClient)
  const counter = ofClient.get(spaceId) ?? new UndecidedCounter(client, spaceId)
  ofClient.set(spaceId, counter)
  return counter
}
