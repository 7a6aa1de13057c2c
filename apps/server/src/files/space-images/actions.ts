import type { SpaceImage } from '@foyer/protocol/space-images'
import { claimImages } from '#src/files/images/actions.ts'
import { discardFiles, type FileDeps, keepOrDiscard, storeFile } from '#src/files/objects/actions.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { type Kind, kinds } from './kinds.ts'
import {
  countImages,
  type DeletedImage,
  deleteImageRow,
  deleteImageRowsOf,
  findImage,
  insertImage,
  saveName,
} from './queries.ts'

interface Deps {
  database: Database
}

/** @throws ApiError 404 for an image of another space or of the other kind */
export async function accessImage(
  database: Queryable,
  kind: Kind,
  { spaceId }: SpaceAccess,
  id: string,
): Promise<SpaceImage> {
  const image = await findImage(database, { spaceId, kind: kind.name }, id)
  if (image === undefined) throw new ApiError(kind.unknown)
  return image
}

/**
 * Stores the image and creates an emoji or a sticker from it. On failure nothing is kept.
 * @throws ApiError 400 for a taken name, a file that is not an image, and at the space's limit; 413 and 422 for the
 * reasons of `storeFile`
 */
export async function createImage(
  deps: FileDeps,
  kind: Kind,
  access: SpaceAccess,
  { name, file }: { name: string; file: SpooledFile },
): Promise<SpaceImage> {
  const { spaceId, caller } = access
  const target = { tenantId: spaceId, ownerId: caller.user.id, purpose: kind.name, fit: kind.fit } as const
  const stored = await storeFile(deps, { ...target, where: 'bucket' }, file)
  return keepOrDiscard(deps, [stored], () =>
    withFreeName(() =>
      deps.database.transactionIn(access.spaceId, async (transaction) => {
        const held = await holdSpace(transaction, access, kind.permission)
        const image = await insertCounted(transaction, kind, { name, stored })
        transaction.publish(kind.created(image))
        await record(transaction, held, `${kind.name}_create`, { ...targetOf(kind, image), after: image })
        return image
      }),
    ),
  )
}

/**
 * Renames an emoji or sticker. Publishes nothing if nothing changed.
 * @throws ApiError 400 for a taken name
 */
export async function renameImage(
  { database }: Deps,
  kind: Kind,
  access: SpaceAccess,
  { id, name }: Pick<SpaceImage, 'id' | 'name'>,
): Promise<SpaceImage> {
  return withFreeName(() =>
    database.transactionIn(access.spaceId, async (transaction) => {
      const held = await holdSpace(transaction, access, kind.permission)
      const image = await accessImage(transaction, kind, access, id)
      if (image.name === name) return image
      const renamed = { ...image, name }
      await saveName(transaction, { spaceId: access.spaceId, kind: kind.name }, renamed)
      transaction.publish(kind.updated(renamed))
      const change = { ...targetOf(kind, renamed), before: image, after: renamed }
      await record(transaction, held, `${kind.name}_update`, change)
      return renamed
    }),
  )
}

/** @throws ApiError 404 for an image of another space or of the other kind */
export async function deleteImage(
  { database }: Deps,
  kind: Kind,
  access: SpaceAccess,
  id: string,
): Promise<void> {
  const { spaceId } = access
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, kind.permission)
    const image = await accessImage(transaction, kind, access, id)
    const deleted = await deleteImageRow(transaction, { spaceId, kind: kind.name }, id)
    await endImages(transaction, spaceId, deleted)
    await record(transaction, held, `${kind.name}_delete`, { ...targetOf(kind, image), before: image })
  })
}

/**
 * Deletes the emojis and stickers made from the attachments, each with its event, and the attachments. The caller holds
 * the space's lock.
 * @returns the deleted emojis and stickers
 */
export async function deleteImagesOf(
  transaction: Transaction,
  spaceId: string,
  attachmentIds: readonly string[] | 'all',
): Promise<readonly DeletedImage[]> {
  const wanted = attachmentIds === 'all' ? null : attachmentIds
  const deleted = await deleteImageRowsOf(transaction, spaceId, wanted)
  await endImages(transaction, spaceId, deleted)
  return deleted
}

async function endImages(
  transaction: Transaction,
  spaceId: string,
  deleted: readonly DeletedImage[],
): Promise<void> {
  for (const image of deleted) transaction.publish(kinds[image.kind].deleted(image))
  await discardFiles(
    transaction,
    spaceId,
    deleted.map((image) => image.attachment_id),
  )
}

function targetOf({ name: type }: Kind, { id, name }: SpaceImage) {
  return { type, id, name }
}

async function insertCounted(
  transaction: Transaction,
  kind: Kind,
  { name, stored }: { name: string; stored: FileRow },
): Promise<SpaceImage> {
  const { tenant_id: spaceId, id: attachmentId, owner_id: creatorId, animated } = stored
  const collection = { spaceId, kind: kind.name }
  const count = await countImages(transaction, collection)
  if (count >= kind.max) throw new ApiError(kind.tooMany)
  await claimImages(transaction, spaceId, [attachmentId])
  return insertImage(transaction, collection, { id: newId(), name, attachmentId, creatorId, animated })
}

async function withFreeName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error, 'space_images_name') ? new ApiError('name_taken') : error
  }
}
