import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import type { ImageField } from './fields.ts'
import type { ImageFile } from './forms.ts'

const START = /^data:image\/[a-z0-9.+-]{1,64};base64,/i

/** Returns true for a `data:` address, as opposed to an image's id. */
export function isDataAddress(text: string | null | undefined): text is string {
  return text?.startsWith('data:') === true
}

interface Work<T> {
  formSpace: FormSpace
  /** User whose share of the disk space for uploads the image counts against. */
  sender: string
  run: (file: ImageFile) => Promise<T>
}

/**
 * Writes the image of a `data:` address to a temporary file while `run` works with it. `run` gets it like an image of a form.
 * @throws ApiError 400 for an address without a Base64 image, 413 over 10 MB
 */
export async function withDataAddress<T>(
  field: ImageField,
  address: string,
  { formSpace, sender, run }: Work<T>,
): Promise<T> {
  const [start] = START.exec(address) ?? []
  if (start === undefined)
    throw new ApiError('invalid_image', `${field} must be a picture as data:image/png;base64,…`)
  const bytes = Buffer.from(address.slice(start.length), 'base64')
  if (bytes.length > MAX_IMAGE_BYTES) throw new ApiError('image_too_large')
  await using opened = new AsyncDisposableStack()
  const place = formSpace.enter(sender)
  opened.defer(() => place.leave())
  if (!place.grow(bytes.length)) throw new ApiError('unavailable')
  const folder = await formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, field)
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  const contentType = start.slice('data:'.length, -';base64,'.length).toLowerCase()
  return await run({ field, file: { field, filename: field, contentType, sizeBytes: bytes.length, path } })
}
