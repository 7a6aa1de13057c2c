import type { Words } from '#src/ui/form-errors.ts'

/** What pictures can be, for the browser's dialog to choose a file. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

/** What to say about a picture that the server did not take. */
export const imageWords: Words = {
  invalid_image: 'This picture cannot be read. Choose a PNG, JPEG, WebP, GIF or AVIF.',
  image_too_complex: 'The picture has too many pixels or frames. Choose a smaller one.',
  image_too_large: 'The picture is over 10 MB. Choose a smaller one.',
  body_too_large: 'The picture is far too large. Choose a smaller one.',
  upload_too_large: 'The picture is larger than the storage takes in one upload.',
  storage_full: 'The storage has no room left for this picture.',
  no_bucket: 'This space has no storage for pictures yet.',
  storage_unavailable: 'The storage cannot be reached at the moment. Try again later.',
}

/** Refusals that somebody can mend in the settings of the space's storage. */
const STORAGE_CODES = ['no_bucket', 'storage_full', 'upload_too_large']

export function isAboutStorage(code: string | null): boolean {
  return code !== null && STORAGE_CODES.includes(code)
}
