import { CreateMessageBody, CreateMessageForm } from '@foyer/protocol/messages'
import { readFields, readJsonField } from '#src/kernel/http/form-fields.ts'
import type { Form } from '#src/kernel/http/multipart.ts'
import type { Sent } from './contents.ts'

/**
 * A message that came as a form: its JSON body in `payload_json`, or just `content` and `nonce` as texts, and its files in
 * fields of any name.
 * @throws ApiError 400, in words that begin with the field
 */
export function readMessageForm(form: Form): Sent {
  const { content, nonce } = readFields(CreateMessageForm, form)
  const payload = readJsonField(CreateMessageBody, form, 'payload_json')
  return { body: { content: content ?? null, nonce: nonce ?? null, ...payload }, files: form.files }
}
