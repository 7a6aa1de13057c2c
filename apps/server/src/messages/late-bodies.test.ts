import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { makeSpace } from '#test/spaces.ts'

let server: TestServer
let ada: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** A request whose body stops half-way until `meanwhile` is done; answers with its status. */
async function sendSlowly(
  person: Person,
  { method, path }: { method: string; path: string },
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { token, session_token } = await openSession(server, person.id)
  const text = JSON.stringify({ content: 'said slowly' })
  const headers = {
    authorization: `Bearer ${token}`,
    'x-session-token': session_token,
    'content-type': 'application/json',
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
  ['they are kicked', 403],
] as const) {
  test(`MESSAGE-11: while a body arrives ${what}`, async () => {
    const eve = await createPerson(server, `eve_${expected}`)
    const space = await makeSpace(ada, [eve])
    const { id } = await eve.client.messages.create(space.general, { content: 'said before' })
    const path = `/api/rooms/${space.general}/messages`
    const kick = async () => {
      if (expected === 403) await ada.client.members.kick(space.id, eve.id)
    }
    assert.equal(await sendSlowly(eve, { method: 'PATCH', path: `${path}/${id}` }, kick), expected)
    if (expected === 403)
      await eve.client.invites.join((await ada.client.invites.create(space.id, space.general)).code)
    assert.equal(await sendSlowly(eve, { method: 'POST', path }, kick), expected)
    const contents = (await ada.client.messages.list(space.general)).map(({ content }) => content)
    assert.deepEqual(contents, expected === 200 ? ['said slowly', 'said slowly'] : ['said before'])
  })
}
