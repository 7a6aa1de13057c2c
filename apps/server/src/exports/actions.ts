import type { Export, ExportDownload } from '@foyer/protocol/exports'
import { EXPORT_LINK_SECONDS } from '@foyer/protocol/limits'
import { keyOf } from '#src/files/objects/rows.ts'
import { asStoreAnswer } from '#src/files/objects/store-answers.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { keepAccount } from '#src/people/users/queries.ts'
import { endExport } from './endings.ts'
import { findExport, insertExport, lockEarlier, mayDownload } from './queries.ts'
import { enqueueExport } from './queue.ts'
import { type ExportRow, exportOf, type SessionOrder } from './rows.ts'

export interface ExportDeps {
  database: Database
  stores: Stores
}

/**
 * Requests an export. The caller must have checked that the person may have it.
 * @param also further work in the transaction
 * @throws ApiError 401 for a deleted account, 409 while an earlier export is being made, 429 while an earlier export can
 * still be downloaded
 */
export async function requestExport(
  { database }: Pick<ExportDeps, 'database'>,
  { sessionId, ...order }: SessionOrder,
  also: (transaction: Transaction) => Promise<void> = async () => undefined,
): Promise<Export> {
  const row = await database.transaction(async (transaction) => {
    if (!(await keepAccount(transaction, order.userId))) throw new ApiError('authentication_required')
    const earlier = await lockEarlier(transaction, order)
    if (earlier !== undefined) {
      if (!earlier.is_expired) refuseSecond(earlier)
      await endExport(transaction, earlier.id)
    }
    const inserted = await insertExport(transaction, order, { id: newId(), sessionId })
    if (inserted === undefined) throw new ApiError('export_underway')
    await also(transaction)
    return inserted
  })
  // If enqueueing fails, a later run of the sweep does it.
  await enqueueExport(database, row.id).catch(() => undefined)
  return exportOf(row)
}

/** @throws ApiError 409 or 429, unless the earlier export failed: another can then be requested immediately */
function refuseSecond({ state, expires_at }: ExportRow): void {
  if (state === 'failed') return
  if (state !== 'ready') throw new ApiError('export_underway')
  const seconds = Math.max(1, Math.ceil((Date.parse(expires_at) - Date.now()) / 1000))
  throw new ApiError('export_too_soon', undefined, { 'retry-after': `${seconds}` })
}

/**
 * Returns a URL at which the download must begin within EXPORT_LINK_SECONDS. It is useless to a person who finds it later in
 * a browser history or a log.
 * @throws ApiError 404 for an unknown or expired export, and for another person's; 403 for another session that is older
 * than the request for the export; 409 if the export is not ready
 */
export async function addressOf(
  deps: ExportDeps,
  { sessionId, ...order }: SessionOrder,
  id: string,
): Promise<ExportDownload> {
  const found = await findExport(deps.database, order, id)
  if (found === undefined) throw new ApiError('unknown_export')
  if (!(await mayDownload(deps.database, id, sessionId))) throw new ApiError('export_needs_login')
  if (found.state !== 'ready' || found.attachment_id === null) throw new ApiError('export_not_ready')
  const key = keyOf({ tenant_id: found.id, id: found.attachment_id })
  const look = { contentType: 'application/zip', filename: filenameOf(found), inline: false }
  const left = Math.floor((Date.parse(found.expires_at) - Date.now()) / 1000)
  const seconds = Math.max(1, Math.min(EXPORT_LINK_SECONDS, left))
  const url = await asStoreAnswer(deps.stores.own.presignDownload(key, look, seconds))
  return { url, expires_at: new Date(Date.now() + seconds * 1000).toISOString() }
}

/** Example: `foyer-account-2026-11-28.zip`. */
export function filenameOf({ kind, created_at }: Pick<Export, 'kind' | 'created_at'>): string {
  return `foyer-${kind}-${created_at.slice(0, 10)}.zip`
}
