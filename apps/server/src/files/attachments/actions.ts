import { Permission } from '@foyer/protocol/permissions'
import { deleteImagesOf } from '#src/files/space-images/actions.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record, targetOf } from '#src/spaces/actions/audit.ts'

interface Deps {
  database: Database
}

/**
 * Deletes the image and its emojis and stickers.
 * @throws ApiError 404 unless it is an image of the space's emojis or stickers
 */
export async function deleteSpaceAttachment(
  { database }: Deps,
  access: SpaceAccess,
  attachmentId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, Permission.ManageSpaceAttachments)
    const deleted = await deleteImagesOf(transaction, access.spaceId, [attachmentId])
    if (deleted.length === 0) throw new ApiError('unknown_attachment')
    await record(transaction, held, 'attachment_delete', { type: 'attachment', id: attachmentId })
  })
}

/** Deletes all emojis and stickers of the space with their images. */
export async function deleteAllSpaceAttachments({ database }: Deps, access: SpaceAccess): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, Permission.ManageSpaceAttachments)
    const { length: count } = await deleteImagesOf(transaction, access.spaceId, 'all')
    const target = targetOf(held.snapshot.space)
    if (count > 0) await record(transaction, held, 'attachment_clear', { ...target, before: { count } })
  })
}
