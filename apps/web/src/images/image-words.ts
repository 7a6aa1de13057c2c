import { ApiError } from '@foyer/sdk/rest'
import { t } from '#src/language/texts.ts'
import { errorMessage, type Words } from '#src/ui/fields/form-errors.ts'

/** File types of pictures, for the browser's file dialog. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

/** Thrown before sending a picture that exceeds the size limit of requests. */
export class PictureTooLarge extends Error {}

const words: Words = {
  invalid_image: t('Can’t read this picture. Choose a PNG, JPEG, WebP, GIF or AVIF.'),
  image_too_complex: t('The picture has too many pixels or frames. Choose a smaller one.'),
  image_too_large: t('The picture is over 10 MB. Choose a smaller one.'),
  body_too_large: t('The picture is far too large. Choose a smaller one.'),
  upload_too_large: t('The picture is too large for this storage. Choose a smaller one.'),
  storage_full: t('The storage is full. Delete some files or choose a smaller picture.'),
  no_bucket: t('Set up storage before adding pictures.'),
  name_taken: t('This name is already taken. Choose another one.'),
  storage_unavailable: t('Can’t reach the storage right now. Try again later.'),
}

/** Errors that a change in the space's storage settings can fix. */
const STORAGE_CODES = ['no_bucket', 'storage_full', 'upload_too_large']

export function isAboutStorage(error: unknown): boolean {
  return error instanceof ApiError && STORAGE_CODES.includes(error.code ?? '')
}

export function hasNoBucket(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'no_bucket'
}

/** Returns a readable reason why a picture was refused. */
export function imageMessage(error: unknown): string {
  if (error instanceof PictureTooLarge) return t('The picture is far too large. Choose a smaller one.')
  return errorMessage(error, words)
}
