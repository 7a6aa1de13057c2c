import { topicOf } from '../journal/bus.ts'
import { type Queryable, sql } from '../sql/sql.ts'
import type { Transaction } from './database.ts'

/** Name of the event, which only the server receives. */
export const SETTINGS_CHANGE = 'SERVER_SETTINGS_CHANGE'

/** Serializes changes of the settings. Before the first change there is no row to lock. */
export async function lockSettings(transaction: Queryable): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('foyer settings', 0))`)
}

/** Publishes that settings changed, because every process caches them. */
export function publishSettingsChange(transaction: Pick<Transaction, 'publish'>): void {
  transaction.publish({ topic: topicOf.server(), name: SETTINGS_CHANGE, data: '{}' })
}
