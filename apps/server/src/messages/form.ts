import { CreateMessageBody, CreateMessageForm } from '@foyer/protocol/messages'
import { readFields, readJsonField } from '#src/kernel/http/bodies/form-fields.ts'
import type { Form } from '#src/kernel/http/bodies/multipart.ts'
import type { SendRequest } from './contents.ts'

/**
 * Reads a message from a form: its JSON in `payload_json`, or `content` and `nonce` as fields, and files in fields of
 * any name.
 * @throws ApiError 400 with a message that begins with the field
 */
export function readMessageForm(form: Form): SendRequest {
  const { content, nonce } = readFields(CreateMessageForm, form)
  const payload = readJsonField(CreateMessageBody, form, 'payload_json')
  return { body: { content: content ?? null, nonce: nonce ?? null, ...payload }, files: form.files }
}
