import type { Database } from '#src/kernel/database/database.ts'
import { enqueueInLine } from '#src/kernel/jobs.ts'

export const IMPORT_SPACE = 'import_space'

/** Queue in which imports run one at a time on the whole server. Other jobs do not wait for them. */
const QUEUE = 'space_imports'

export async function enqueueImport(database: Database, id: string): Promise<void> {
  const queueing = { queue: QUEUE, key: `${IMPORT_SPACE} ${id}` }
  await enqueueInLine(database, IMPORT_SPACE, { import_id: id }, queueing)
}
