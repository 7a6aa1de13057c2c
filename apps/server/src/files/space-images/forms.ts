import { SpaceImageName } from '@foyer/protocol/space-images'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readFields } from '#src/kernel/http/bodies/form-fields.ts'
import { type Form, readForm, type SpooledFile } from '#src/kernel/http/bodies/multipart.ts'

/** Text fields of a new emoji or sticker. */
const NewImageTexts = Type.Object({ name: SpaceImageName() })

/** The form, for the API reference. */
export const imageForm = { texts: NewImageTexts, files: ['image'] }

/** @throws ApiError 400 for more than one file, and with the errors of `readForm` */
export function readImageForm(request: FastifyRequest): Promise<Form> {
  return readForm(request, { maxFiles: 1, tooMany: 'missing_image' })
}

/**
 * Returns the name and the only file, in a field of any name.
 * @throws ApiError 400 if either is missing
 */
export function newImageIn(form: Form): { name: string; file: SpooledFile } {
  const { name } = readFields(NewImageTexts, form)
  const [file] = form.files
  if (file === undefined) throw new ApiError('missing_image')
  return { name, file }
}
