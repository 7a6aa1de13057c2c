import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { SETTINGS_CHANGE } from '#src/kernel/database/server-settings.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

const KEY = 'public pages'

/** The operators' rule for pages that are read without an account, cached until an event reports a change. */
export class PublicPagesRule {
  readonly #cache: Cache<boolean>

  constructor({ database, bus }: { database: Database; bus: Bus }) {
    this.#cache = new Cache(1, bus.freshness, () => readPublicPages(database))
  }

  receive(events: readonly Event[]): void {
    if (events.some(({ name }) => name === SETTINGS_CHANGE)) this.#cache.drop(KEY)
  }

  isAllowed(): Promise<boolean> {
    return this.#cache.get(KEY)
  }
}

export async function readPublicPages(database: Queryable): Promise<boolean> {
  const rows = await database.query(sql`select from server_settings where public_pages`)
  return rows.length > 0
}

export async function savePublicPages(transaction: Queryable, isAllowed: boolean): Promise<void> {
  await transaction.query(sql`
    insert into server_settings (public_pages) values (${isAllowed})
    on conflict (is_only) do update set public_pages = excluded.public_pages, updated_at = now()`)
}
