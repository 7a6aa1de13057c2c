import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { openSession } from '#test/gateway-client.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { placeFile } from '#test/stored-files.ts'

let installation: Installation
let servers: [RunningServer, RunningServer]
let ada: Person
/** Clients of one person, half of them on each server. */
let writers: Client['messages'][]

before(async () => {
  installation = await makeInstallation()
  servers = [await installation.start(), await installation.start()]
  ada = await createPerson(servers[0], 'ada')
  writers = await makeWriters(16)
})
after(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await installation.remove()
})

async function makeWriters(count: number): Promise<Client['messages'][]> {
  const expiry = new Date(Date.now() + 1e7).toISOString()
  const { token, session_token } = await openSession(servers[0], ada.id)
  const tokens = { access_token: token, session_token, refresh_token: '', expires_at: expiry }
  return Array.from({ length: count }, (_, index) => {
    const { url } = servers[index % 2 === 0 ? 0 : 1]
    // One attempt only: a retry would hide a batch that the unique index on `seq` rejected.
    const options = { baseUrl: url, retry: { maxAttempts: 1 } }
    return new Client({ ...options, tokens: { ...tokens, session_expires_at: expiry } }).messages
  })
}

async function history(roomId: string): Promise<Message[]> {
  const read = async (after: string): Promise<Message[]> => {
    const page = await ada.client.messages.list(roomId, { after, limit: 100 })
    const oldestFirst = page.reverse()
    return page.length < 100 ? oldestFirst : [...oldestFirst, ...(await read(oldestFirst.at(-1)?.id ?? ''))]
  }
  return read('00000000-0000-7000-8000-000000000000')
}

test('MESSAGE-2: two servers writing into the same rooms neither skip nor repeat a seq, and do not block each other', async () => {
  const { general, lounge } = await makeSpace(ada)
  const rounds = writers.map(async (messages, writer) => {
    const sent: Message[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      const room = (writer + turn) % 3 === 0 ? lounge : general
      sent.push(await messages.create(room, { content: `${writer} ${turn}` }))
    }
    return sent
  })
  const sent = (await Promise.all(rounds)).flat()
  for (const room of [general, lounge]) {
    const stored = await history(room)
    assert.deepEqual(
      stored.map((message) => message.seq),
      stored.map((_, index) => index + 1),
    )
    const bySeq = sent.filter((message) => message.room_id === room).sort((a, b) => a.seq - b.seq)
    assert.deepEqual(bySeq, stored)
    const journaled = await servers[0].deps.database.query<{ seq: number }>(sql`
      select (data::json->>'seq')::bigint as seq from events where channel_id = ${room} order by seq`)
    assert.equal(journaled.length, stored.length)
  }
})

test('MESSAGE-3: a nonce sent to two servers at once becomes one message', async () => {
  const { general } = await makeSpace(ada)
  for (let round = 0; round < 20; round += 1) {
    const body = { content: `${round}`, nonce: `${round}` }
    const answers = await Promise.all(writers.map((messages) => messages.create(general, body)))
    assert.equal(new Set(answers.map((message) => JSON.stringify(message))).size, 1)
  }
  assert.deepEqual(
    (await history(general)).map((message) => message.content),
    Array.from({ length: 20 }, (_, round) => `${round}`),
  )
})

test('MESSAGE-14: uploads named at two servers at once are in one of the messages', async () => {
  const { id, general } = await makeSpace(ada)
  const file = { tenantId: id, roomId: general, ownerId: ada.id, state: 'stored' } as const
  for (let round = 0; round < 10; round += 1) {
    const first = await placeFile(servers[0], file)
    const second = await placeFile(servers[0], file)
    const ids = [first.id, second.id]
    const attempts = await Promise.allSettled(
      writers.map((messages, index) =>
        messages.create(general, { attachment_ids: index % 4 < 2 ? ids : ids.toReversed() }),
      ),
    )
    const sent = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    const refusals = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
    assert.deepEqual(new Set(refusals.map(({ code }) => code)), new Set(['unknown_attachment']))
    assert.equal(sent.length, 1)
    assert.deepEqual(await ada.client.messages.list(general, { limit: 1 }), sent)
  }
  assert.equal((await history(general)).length, 10)
})
