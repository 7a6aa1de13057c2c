import { CreateThreadBody } from '@foyer/protocol/thread-rooms'
import { ApiError } from '#src/kernel/errors.ts'
import { readJsonField } from '#src/kernel/http/bodies/form-fields.ts'
import type { Form } from '#src/kernel/http/bodies/multipart.ts'

/** @throws ApiError 400 with a message that begins with the name of the field */
export function readThreadForm(form: Form): CreateThreadBody {
  const body = readJsonField(CreateThreadBody, form, 'payload_json')
  if (body === undefined) throw new ApiError('invalid_request', 'payload_json is required')
  return body
}
