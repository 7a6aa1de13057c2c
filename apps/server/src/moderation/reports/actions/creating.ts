import type { CreateReportBody, OwnReport } from '@foyer/protocol/reports'
import { claimFiles, keepOrDiscard } from '#src/files/objects/actions.ts'
import { type CopyDeps, copyFiles } from '#src/files/objects/copies.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { hasReported, insertReport, OPERATORS_QUEUE } from '../queries.ts'
import { findReported, type Reported, type TargetDeps } from '../targets.ts'
import { publishReports } from './publishing.ts'

export type CreateDeps = TargetDeps & CopyDeps

/**
 * Creates a report with a copy of its target and the target's files, so that later changes do not affect the report.
 * @throws ApiError with the errors of `findReported`, and 409 while the caller's report of the same target is undecided
 */
export async function createReport(
  deps: CreateDeps,
  caller: Caller,
  body: CreateReportBody,
): Promise<OwnReport> {
  const reported = await findReported(deps, caller, body)
  // Checked early, so that no files are copied in vain. The insertion makes the final check.
  if (await hasReported(deps.database, reported.id, caller.user.id)) throw new ApiError('already_reported')
  const id = newId()
  const files = await copyReported(deps, caller, { id, reported })
  return keepOrDiscard(deps, files, () => settle(deps, caller, body, { id, reported, files }))
}

/** Copies the files of the reported target. The report is made even if that fails: the storage may be full or gone. */
async function copyReported(
  deps: CreateDeps,
  { user }: Caller,
  { id, reported }: { id: string; reported: Reported },
): Promise<FileRow[]> {
  if (reported.files.length === 0) return []
  try {
    return await copyFiles(deps, targetOf(id, reported, user.id), reported.files)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/**
 * Returns where the copies are stored. Operators decide reports about people who could delete the space or the
 * conversation, so copies for operators belong to the report itself.
 */
function targetOf(reportId: string, { spaceId }: Reported, ownerId: string) {
  const where = spaceId === null ? 'own' : 'bucket-or-own'
  return { tenantId: spaceId ?? reportId, ownerId, purpose: 'report', where } as const
}

async function settle(
  { database }: CreateDeps,
  { user }: Caller,
  { reason, text = '' }: CreateReportBody,
  { id, reported, files }: { id: string; reported: Reported; files: readonly FileRow[] },
): Promise<OwnReport> {
  const { type, id: targetId, spaceId, place, userId, copy } = reported
  const fileIds = files.map((file) => file.id)
  return database.transactionIn(spaceId ?? user.id, async (transaction) => {
    const report = await insertReport(transaction, {
      id,
      queue_id: spaceId ?? OPERATORS_QUEUE,
      reporter_id: user.id,
      target_type: type,
      target_id: targetId,
      tenant_id: place?.tenantId ?? null,
      channel_id: place?.channelId ?? null,
      parent_id: place?.parentId ?? null,
      user_id: userId,
      ...{ reason, text, copy, file_ids: fileIds },
    })
    if (report === undefined) throw new ApiError('already_reported')
    if (fileIds.length > 0) await claimFiles(transaction, spaceId ?? id, fileIds)
    await publishReports(transaction, spaceId)
    return report
  })
}
