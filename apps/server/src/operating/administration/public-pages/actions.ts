import type { PublicPages } from '@foyer/protocol/web-rooms'
import type { Database } from '#src/kernel/database/database.ts'
import { lockSettings, publishSettingsChange } from '#src/kernel/database/server-settings.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { enqueuePublishing } from '#src/web/web-rooms/jobs.ts'
import { readPublicPages, savePublicPages } from '#src/web/web-rooms/public-pages.ts'

/** Allows or refuses access to public pages without an account. Applies on every process immediately. */
export async function updatePublicPages(
  { database }: { database: Database },
  access: OperatorAccess,
  { public_pages: given }: PublicPages,
): Promise<PublicPages> {
  return database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    await lockSettings(transaction)
    const before = { public_pages: await readPublicPages(transaction) }
    if (given === before.public_pages) return before
    await savePublicPages(transaction, given)
    const after = { public_pages: given }
    const details = { before, after }
    await logOperation(transaction, access, { action: 'public_pages_update', type: 'server', details })
    publishSettingsChange(transaction)
    await enqueuePublishing(transaction)
    return after
  })
}
