import type { Announcement } from '@foyer/protocol/announcements'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { listCurrentAnnouncements } from './queries.ts'

const KEY = 'current'
/** Time for which the list is cached. After a restart, all clients request it at once. */
const KEPT_MS = 1000

/** Caches the visible announcements for a second, or until an event says that they changed. */
export class CurrentAnnouncements {
  readonly #cache: Cache<Announcement[]>
  #keptSince = Number.NEGATIVE_INFINITY

  constructor({ database, bus }: { database: Database; bus: Bus }) {
    this.#cache = new Cache(1, bus.freshness, () => listCurrentAnnouncements(database))
  }

  receive(events: readonly Event[]): void {
    if (events.some(({ name }) => name === 'ANNOUNCEMENTS_UPDATE')) this.drop()
  }

  drop(): void {
    this.#cache.drop(KEY)
  }

  list(): Promise<Announcement[]> {
    const now = performance.now()
    if (now - this.#keptSince >= KEPT_MS) {
      this.drop()
      this.#keptSince = now
    }
    return this.#cache.get(KEY)
  }
}
