import { COPY, OUTDATED } from '#src/kernel/database/snapshot-names.ts'
import { type KeptKind, listKept } from './records.ts'
import { type Beside, dropDatabase, isRefusal, rename } from './server-databases.ts'

/**
 * Drops the leftovers of a killed update: its copy, and replaced databases, which have our comment. A database that
 * may not be dropped stays.
 */
export async function dropLeftovers(beside: Beside): Promise<void> {
  const outdated = await listKept(beside.admin, beside.name, OUTDATED)
  for (const database of [beside.name + COPY, ...outdated.map(({ database }) => database)])
    await dropDatabase(beside, database).catch((error: unknown) => {
      // PostgreSQL refuses to drop another role's database. Its name stays taken, and an update that needs the name reports that.
      if (!isRefusal(error)) throw error
    })
}

/** Renames kept databases that are being replaced. Runs in a transaction. */
export async function retireKept(beside: Beside, except: KeptKind): Promise<void> {
  const kept = await listKept(beside.admin, beside.name)
  for (const { kind, database } of kept)
    if (kind !== except) await rename(beside, database, database + OUTDATED)
}
