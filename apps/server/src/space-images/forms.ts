import { SpaceImageName } from '@foyer/protocol/space-images'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readFields } from '#src/kernel/http/form-fields.ts'
import { type Form, readForm, type SpooledFile } from '#src/kernel/http/multipart.ts'

/** The texts of a new emoji or sticker. */
const NewImageTexts = Type.Object({ name: SpaceImageName() })

/** For the API reference. */
export const imageForm = { texts: NewImageTexts, files: ['image'] }

/** @throws ApiError 400 for more than one file, and as `readForm` */
export function readImageForm(request: FastifyRequest): Promise<Form> {
  return readForm(request, { maxFiles: 1, tooMany: 'missing_image' })
}

/**
 * The name, and the one file, of whatever field.
 * @throws ApiError 400 for a form without one of them
 */
export function newImageIn(form: Form): { name: string; file: SpooledFile } {
  const { name } = readFields(NewImageTexts, form)
  const [file] = form.files
  if (file === undefined) throw new ApiError('missing_image')
  return { name, file }
}
