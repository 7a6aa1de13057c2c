import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import type { Static, TObject } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import type { Form, SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { compileInput, invalidInput } from '#src/kernel/http/validation.ts'
import type { ImageField } from './fields.ts'

export interface ImageFile {
  field: ImageField
  file: SpooledFile
}

/**
 * Returns a form's images. Files with other names are ignored.
 * @throws ApiError 400 for two files with the same name, 413 over 10 MB
 */
export function imagesIn({ files }: Form, fields: readonly ImageField[]): ImageFile[] {
  return fields.flatMap((field) => {
    const [file, ...others] = files.filter((candidate) => candidate.field === field)
    if (file === undefined) return []
    if (others.length > 0) throw new ApiError('invalid_request', `${field} must be one file`)
    if (file.sizeBytes > MAX_IMAGE_BYTES) throw new ApiError('image_too_large')
    return [{ field, file }]
  })
}

/**
 * Reads a form's texts by a JSON schema. For a nullable field, an empty text means null, because forms have no null.
 * @throws ApiError 400 for texts that the schema refuses
 */
export function textsIn<S extends TObject>({ fields }: Form, schema: S): Static<S> {
  const { properties } = schema
  // Only the schema's fields are read: a text field named like an image is ignored.
  const named = Object.entries(fields).filter(([name]) => Object.hasOwn(properties, name))
  const texts: unknown = Object.fromEntries(
    named.map(([name, text]) => [name, text === '' && allowsNull(properties[name]) ? null : text]),
  )
  const isValid = compileInput(schema)
  if (isValid(texts)) return texts
  throw invalidInput(isValid.errors, 'the form')
}

function allowsNull(field: object | undefined): boolean {
  return field !== undefined && 'nullable' in field
}
