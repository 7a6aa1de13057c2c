import createClient from 'openapi-fetch'
import type { operations, paths } from '../generated/clients/schema'

type SentMessage = operations['messages.create']['responses'][200]['content']['application/json']

/** Calls a server with openapi-fetch and the types that openapi-typescript generates. */
export async function run(baseUrl: string, username: string) {
  const client = createClient<paths>({ baseUrl })
  const account = { username, email: `${username}@example.org`, password: 'correct horse battery' }
  const { data: login } = await client.POST('/api/auth/signin', { body: account })
  const headers = {
    authorization: `Bearer ${login?.access_token}`,
    'x-session-token': `${login?.session_token}`,
  }
  const { data: made } = await client.POST('/api/spaces', { body: { name: 'Hikers' }, headers })
  const place = { params: { path: { spaceId: made?.space.id ?? '' } }, headers }
  const { data: rooms } = await client.GET('/api/spaces/{spaceId}/rooms', place)
  const roomId = rooms?.find(({ name }) => name === 'general')?.id ?? ''
  const sent = await send({ baseUrl, roomId, headers })
  const address = { params: { path: { roomId, messageId: sent.id } }, headers }
  const { data: message } = await client.GET('/api/rooms/{roomId}/messages/{messageId}', address)
  const { error, response } = await client.GET('/api/rooms/{roomId}/messages', {
    params: { path: { roomId: sent.id } },
    headers,
  })
  return {
    content: message?.content,
    files: message?.attachments.map(({ filename }) => filename),
    refused: { status: response.status, code: response.headers.get('x-error-code'), error: error?.error },
  }
}

/** Sends a multipart form by hand, because openapi-typescript types files as strings. */
async function send({
  baseUrl,
  roomId,
  headers,
}: {
  baseUrl: string
  roomId: string
  headers: Record<string, string>
}) {
  const form = new FormData()
  form.set('content', 'hello')
  for (const name of ['one.txt', 'two.txt'])
    form.append('files', new File([name], name, { type: 'text/plain' }))
  const response = await fetch(`${baseUrl}/api/rooms/${roomId}/messages`, {
    method: 'POST',
    headers,
    body: form,
  })
  const sent: SentMessage = await response.json()
  return sent
}
