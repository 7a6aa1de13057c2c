import { createClient } from '../generated/clients/hey/client'
import {
  attachmentsCreate,
  authSignin,
  bucketsCreateIncluded,
  emojisCreate,
  messagesCreate,
  messagesGet,
  roomsList,
  spacesCreate,
} from '../generated/clients/hey/sdk.gen'

/** A PNG of one pixel, in base64. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Calls a server with the client that Hey API generates. Its functions are named after the operations. */
export async function run(baseUrl: string, username: string) {
  const client = createClient({ baseUrl })
  const account = { username, email: `${username}@example.org`, password: 'correct horse battery' }
  const { data: login } = await authSignin({ client, body: account, throwOnError: true })
  const headers = { authorization: `Bearer ${login.access_token}`, 'x-session-token': login.session_token }
  client.setConfig({ headers })
  const { data: made } = await spacesCreate({ client, body: { name: 'Hikers' }, throwOnError: true })
  const { data: rooms } = await roomsList({ client, path: { spaceId: made.space.id }, throwOnError: true })
  const roomId = rooms.find(({ name }) => name === 'general')?.id ?? ''
  const spaceId = made.space.id
  await bucketsCreateIncluded({ client, path: { spaceId }, throwOnError: true })
  const image = new File([Uint8Array.from(atob(PNG), (byte) => byte.charCodeAt(0))], 'sun.png', {
    type: 'image/png',
  })
  const form = { name: 'sun', image }
  const { data: emoji } = await emojisCreate({ client, path: { spaceId }, body: form, throwOnError: true })
  const body = { content: 'hello' }
  const { data: sent } = await messagesCreate({ client, path: { roomId }, body, throwOnError: true })
  const { data: message } = await messagesGet({
    client,
    path: { roomId, messageId: sent.id },
    throwOnError: true,
  })
  const nowhere = { roomId: sent.id }
  const { error, response } = await attachmentsCreate({
    client,
    path: nowhere,
    body: { filename: 'a', size_bytes: 1, content_type: 'text/plain' },
  })
  return {
    content: message.content,
    files: [emoji.name],
    refused: { status: response?.status, code: response?.headers.get('x-error-code'), error: error?.error },
  }
}
