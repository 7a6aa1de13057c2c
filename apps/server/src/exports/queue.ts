import type { Database } from '#src/kernel/database/database.ts'
import { enqueueInLine } from '#src/kernel/jobs.ts'

export const MAKE_EXPORT = 'make_export'

/** Queue in which exports run one at a time on the whole server. Other jobs do not wait for them. */
const QUEUE = 'exports'

export async function enqueueExport(database: Database, id: string): Promise<void> {
  await enqueueInLine(database, MAKE_EXPORT, { export_id: id }, { queue: QUEUE, key: `${MAKE_EXPORT} ${id}` })
}
