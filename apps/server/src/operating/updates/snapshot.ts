import type { UpdateSnapshot } from '@foyer/protocol/server-health'
import type { Database } from '#src/kernel/database/database.ts'
import { endOf, listKept } from './records.ts'

/** Returns the target of a rollback; null without a kept database. */
export async function findSnapshot(
  { pools }: Pick<Database, 'pools'>,
  days: number,
): Promise<UpdateSnapshot | null> {
  const client = await pools.statements.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const [kept] = await listKept(client, rows[0]?.name ?? '')
    if (kept === undefined) return null
    return {
      kind: kept.kind,
      version: kept.version?.version ?? null,
      made_at: kept.madeAt.toISOString(),
      kept_until: endOf(kept, days).toISOString(),
      bytes: kept.sizeBytes,
    }
  } finally {
    client.release()
  }
}
