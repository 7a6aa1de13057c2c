import {
  claimFiles,
  discardFiles,
  type FileDeps,
  keepOrDiscard,
  storeFile,
} from '#src/files/objects/actions.ts'
import type { FileTarget } from '#src/files/objects/reservation.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { imageFits, type NewImages } from './fields.ts'
import type { ImageFile } from './forms.ts'

/**
 * Stores the images of a request, then runs `work`. If either fails, no image is kept.
 * @throws ApiError with the errors of `storeFile`
 */
export async function withStoredImages<T>(
  deps: FileDeps,
  home: Pick<FileTarget, 'tenantId' | 'ownerId' | 'where'>,
  files: readonly ImageFile[],
  work: (images: NewImages) => Promise<T>,
): Promise<T> {
  const stored: FileRow[] = []
  return keepOrDiscard(deps, stored, async () => {
    const images: NewImages = {}
    for (const { field, file } of files) {
      const row = await storeFile(deps, { ...home, purpose: field, fit: imageFits[field] }, file)
      stored.push(row)
      images[field] = row.id
    }
    return work(images)
  })
}

/**
 * Returns the field's value after a change.
 * @param given value from JSON or a form: undefined and the current id keep the image, null and an empty text clear it
 * @param uploaded id of an uploaded image, which takes precedence
 * @throws ApiError 400 for another image's id
 */
export function nextImage(
  current: string | null,
  given: string | null | undefined,
  uploaded: string | undefined,
): string | null {
  if (uploaded !== undefined) return uploaded
  if (given === undefined || given?.toLowerCase() === current) return current
  if (given === null || given === '') return null
  throw new ApiError('image_needs_multipart')
}

/**
 * Discards images that are no longer shown and claims the new ones. The caller locks the space or user that shows them.
 */
export async function replaceImages(
  transaction: Transaction,
  tenantId: string,
  before: readonly (string | null)[],
  after: readonly (string | null)[],
): Promise<void> {
  await claimImages(transaction, tenantId, missingIn(before, after))
  await discardFiles(transaction, tenantId, missingIn(after, before))
}

/**
 * Marks the images live.
 * @throws ApiError 503 if their bucket was deleted in the meantime
 */
export async function claimImages(
  transaction: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  try {
    await claimFiles(transaction, tenantId, ids)
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'unknown_attachment'
    throw isGone ? new ApiError('unavailable') : error
  }
}

function missingIn(known: readonly (string | null)[], ids: readonly (string | null)[]): string[] {
  return ids.filter((id): id is string => id !== null && !known.includes(id))
}
