import { CreateMessageBody } from '@foyer/protocol/messages'
import { parseInput } from '#src/kernel/http/body.ts'
import type { Form } from '#src/kernel/http/multipart.ts'
import type { Sent } from './sending.ts'

/**
 * A message that came as a form: its JSON body in `payload_json`, or just `content` and `nonce` as texts, and its files in
 * fields of any name.
 * @throws ApiError 400, in words that begin with the field
 */
export function readMessageForm({ fields, files }: Form): Sent {
  const { payload_json, content, nonce } = fields
  const texts = parseInput(CreateMessageBody, JSON.stringify({ content, nonce }), 'the form')
  if (payload_json === undefined) return { body: texts, files }
  return { body: { ...texts, ...parseInput(CreateMessageBody, payload_json, 'payload_json') }, files }
}
