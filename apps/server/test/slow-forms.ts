import { once } from 'node:events'
import { request } from 'node:http'
import { openSession } from './gateway-client.ts'
import type { Person } from './scenes/people.ts'
import type { TestServer } from './server.ts'

/** Sends a multipart body, and pauses half-way until `meanwhile` is done. Returns the status of the answer. */
export async function sendFormSlowly(
  server: TestServer,
  person: Person,
  { method, path, form }: { method: string; path: string; form: FormData },
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { token, session_token } = await openSession(server, person.id)
  const encoded = new Response(form)
  const bytes = Buffer.from(await encoded.arrayBuffer())
  const headers = {
    authorization: `Bearer ${token}`,
    'x-session-token': session_token,
    'content-type': encoded.headers.get('content-type') ?? '',
    'content-length': bytes.length,
  }
  const sending = request(`${server.url}${path}`, { method, headers })
  const answered = once(sending, 'response')
  sending.write(bytes.subarray(0, bytes.length / 2))
  await once(sending, 'socket')
  // The server has received the first half once this later request is answered.
  await person.call('GET', '/api/users/@me')
  await meanwhile()
  sending.end(bytes.subarray(bytes.length / 2))
  const [answer] = await answered
  answer.resume()
  return answer.statusCode
}
