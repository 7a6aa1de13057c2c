import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { callAsNobody, createBot, createPerson } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = (username: string) => `/api/users/by-username/${encodeURIComponent(username)}`

test('USER-9: a user is found by the full username, ignoring case', async () => {
  const [ann, bert] = [await createPerson(server, 'a.n_n1'), await createPerson(server, 'Bert')]
  const robot = await createBot(server, 'robot')
  for (const [name, { id }] of [
    ['a.n_n1', ann],
    ['A.N_N1', ann],
    ['bert', bert],
    ['BERT', bert],
    ['robot', robot],
  ] as const) {
    assert.deepEqual(await ann.client.users.find(name), await ann.client.users.get(id))
  }
  for (const name of ['a.n_n', 'a.n_n11', 'aXn_n1', 'a.nXn1', '___', 'nobody']) {
    const answer = await ann.call('GET', pathOf(name))
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_user'], name)
  }
})

test('USER-9: a deleted account is not found by any name', async () => {
  const [ann, cleo] = [await createPerson(server, 'ann'), await createPerson(server, 'cleo')]
  assert.equal((await ann.client.users.find('cleo')).id, cleo.id)
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${cleo.id}`)
  assert.equal((await ann.call('GET', pathOf('cleo'))).code, 'unknown_user')
})

test('USER-9: an invalid username is 400; bots and strangers are refused', async () => {
  const dora = await createPerson(server, 'dora')
  for (const name of ['x', 'x'.repeat(33), 'dora ', 'dörte', "d'ora", '%', 'a/b', 'a\0']) {
    const answer = await dora.call('GET', pathOf(name))
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], name)
  }
  const bot = await createBot(server, 'robot2')
  assert.equal((await bot.call('GET', pathOf('dora'))).code, 'bots_not_allowed')
  assert.equal((await callAsNobody(server, 'GET', pathOf('dora'))).status, 401)
})
