import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'

let server: TestServer
let ada: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

interface Body {
  type: string
  text: string
}

const json: Body = { type: 'application/json', text: JSON.stringify({ content: 'said slowly' }) }
const part = (head: string, text: string) =>
  `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`
const form: Body = {
  type: 'multipart/form-data; boundary=b',
  text: `${part('name="file"; filename="slow.txt"', 'slow')}${part('name="content"', 'said slowly')}--b--\r\n`,
}

interface Route {
  method: string
  path: string
  body: Body
}

/** A request whose body stops half-way until `meanwhile` is done; answers with its status. */
async function sendSlowly(
  person: Person,
  { method, path, body: { type, text } }: Route,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { token, session_token } = await openSession(server, person.id)
  const headers = {
    authorization: `Bearer ${token}`,
    'x-session-token': session_token,
    'content-type': type,
    'content-length': text.length,
  }
  const sending = request(`${server.url}${path}`, { method, headers })
  const answered = once(sending, 'response')
  sending.write(text.slice(0, 8))
  await once(sending, 'socket')
  // The server has the beginning once another request behind it is answered.
  await person.call('GET', '/api/users/@me')
  await meanwhile()
  sending.end(text.slice(8))
  const [answer] = await answered
  answer.resume()
  return answer.statusCode
}

for (const [what, expected] of [
  ['nothing happens', 200],
  ['its sender is kicked', 403],
] as const) {
  test(`MESSAGE-11: the answer is ${expected} if ${what} while a body arrives`, async () => {
    const eve = await createPerson(server, `eve_${expected}`)
    const space = await makeSpace(ada, [eve])
    const { id } = await eve.client.messages.create(space.general, { content: 'said before' })
    const path = `/api/rooms/${space.general}/messages`
    const kick = async () => {
      if (expected === 403) await ada.client.members.kick(space.id, eve.id)
    }
    const routes: Route[] = [
      { method: 'PATCH', path: `${path}/${id}`, body: json },
      { method: 'POST', path, body: json },
      { method: 'POST', path, body: form },
    ]
    for (const route of routes) {
      assert.equal(await sendSlowly(eve, route, kick), expected)
      await join(eve, ada, space)
    }
    const contents = (await ada.client.messages.list(space.general)).map(({ content }) => content)
    assert.deepEqual(contents, expected === 200 ? Array(3).fill('said slowly') : ['said before'])
    assert.equal((await listHoldings(server, space.id)).ids.length, expected === 200 ? 1 : 0)
  })
}
