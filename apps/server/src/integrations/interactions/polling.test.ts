import assert from 'node:assert/strict'
import { connect as openConnection, type Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { Interaction } from '@foyer/protocol/interactions'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { openGateway } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import {
  askCommand,
  commandBody,
  makeBotSpace,
  type TestBotSpace,
  updatesOf,
} from '#test/scenes/interactions.ts'
import { createApplicationBot } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { interactionJobs } from './jobs.ts'

let server: TestServer
let place: TestBotSpace
let sockets: Socket[] = []

before(async () => {
  server = await startOwnServer()
})
after(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})
beforeEach(async () => {
  place = await makeBotSpace(server, [{ name: 'go', description: 'x' }])
})

const run = (query: Query) => server.deps.database.execute(query)
const next = (timeout = 10) => place.bot.client.interactions.next(place.bot.id, timeout)
const reply = ({ id, token }: Interaction) =>
  place.bot.call('POST', `/api/interactions/${id}/${token}/callback`, {
    type: 'message',
    data: { content: 'done' },
  })

async function create(): Promise<string> {
  const { id } = await place.asker.client.interactions.create(await commandBody(place, 'go'))
  return id
}

/** Opens a poll whose connection the test can cut. */
function pollBySocket(): Socket {
  const { port } = new URL(server.url)
  const socket = openConnection(Number(port), '127.0.0.1')
  const path = `/api/applications/${place.bot.id}/interactions/next?timeout=25`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bot ${place.bot.token}\r\n\r\n`)
  socket.on('error', () => undefined)
  sockets = [...sockets, socket]
  return socket
}

test('INTERACTION-7: only the bot itself may poll', async () => {
  const { owner, asker, bot } = place
  const other = await createApplicationBot(server, owner, { name: 'Other' })
  const url = `/api/applications/${bot.id}/interactions/next?timeout=0`
  for (const who of [owner, asker, other]) assert.equal((await who.call('GET', url)).code, 'bot_only')
  assert.equal((await bot.call('GET', url.replace('=0', '=26'))).status, 400)
  assert.equal((await bot.call('GET', url.replace('=0', '=-1'))).status, 400)
  assert.deepEqual(await bot.call('GET', url), { status: 204, code: null, body: undefined })
})

test('INTERACTION-8: each waiting poll gets a different interaction, and the oldest is delivered first', async () => {
  const waiting = [next(), next()]
  const made = [await create(), await create()]
  const taken = await Promise.all(waiting)
  assert.deepEqual(taken.map((each) => each?.id).toSorted(), made.toSorted())
  const later = [await create(), await create()]
  assert.deepEqual([(await next(0))?.id, (await next(0))?.id], later)
  assert.equal(await next(0), undefined)
})

test('INTERACTION-8, INTERACTION-9: an unanswered interaction is delivered again when its lease ends', async () => {
  const first = await askCommand(place, 'go')
  assert.equal(await next(0), undefined)
  await run(sql`update interactions set due_at = now() where id = ${first.id}`)
  assert.equal((await reply(first)).code, 'interaction_expired')
  await run(sql`update interactions set leased_until = now() where id = ${first.id}`)
  const again = await next()
  assert.deepEqual(again, first)
  assert.equal((await reply(first)).status, 204)
  await run(sql`update interactions set leased_until = now() where id = ${first.id}`)
  assert.equal(await next(0), undefined)
})

test('INTERACTION-8: a poller that disconnects while waiting takes no interaction', async () => {
  const socket = pollBySocket()
  await server.fetch('/api/health')
  const other = next()
  socket.destroy()
  await server.fetch('/api/health')
  const id = await create()
  assert.equal((await other)?.id, id)
})

test('INTERACTION-8: an interaction taken for a poller that disconnected is delivered again at once', async () => {
  const id = await create()
  const lock = await holdLock(server, sql`lock table interactions in share mode`)
  const socket = pollBySocket()
  await lock.waitForBlocked(1)
  socket.destroy()
  // Once this is answered, the server has noticed that the connection closed.
  await server.fetch('/api/health')
  await lock.release()
  assert.equal((await next())?.id, id)
})

test('INTERACTION-8: an interaction whose lease ends is found by a waiting poll', async () => {
  const id = await create()
  await run(sql`update interactions set leased_until = now() + interval '1 second' where id = ${id}`)
  assert.equal((await next())?.id, id)
})

/** Returns the seconds from creation until the answer is due and until the interaction fails. */
async function timesOf(id: string): Promise<unknown> {
  const [row] = await server.deps.database.query(sql`
    select extract(epoch from due_at - created_at)::float8 as due,
      extract(epoch from fails_at - created_at)::float8 as fails, leased_until
    from interactions where id = ${id}`)
  return row
}

test('INTERACTION-9: an interaction is due in 15 s over the gateway, and otherwise may be polled for a minute', async () => {
  const { bot } = place
  assert.deepEqual(await timesOf(await create()), { due: null, fails: 60, leased_until: null })
  const gateway = await openGateway(server)
  gateway.send(Opcode.Identify, { token: `Bot ${bot.token}` })
  await gateway.findEvent('READY')
  const id = await create()
  assert.deepEqual(await timesOf(id), { due: 15, fails: 15, leased_until: null })
  const { d } = await gateway.findEvent('INTERACTION_CREATE')
  gateway.close()
  const heard: Interaction = JSON.parse(JSON.stringify(d))
  assert.equal(heard.id, id)
  assert.equal((await reply(heard)).status, 204)
})

/** Returns the state that an interaction has from its delivery on. */
async function handedOut(id: string): Promise<unknown> {
  const [row] = await server.deps.database.query(sql`
    select leased_until - due_at = interval '15 seconds' as is_leased_for_30,
      due_at between created_at + interval '15 seconds' and now() + interval '15 seconds' as is_due_in_15,
      fails_at = greatest(created_at + interval '60 seconds', due_at) as fails_then
    from interactions where id = ${id}`)
  return row
}

test('INTERACTION-9: each delivery is due in 15 s, for a minute in total', async () => {
  const id = await create()
  const age = (seconds: number) =>
    run(sql`
      update interactions set created_at = now() - make_interval(secs => ${seconds}), leased_until = null,
        fails_at = now() + interval '1 minute' where id = ${id}`)
  for (const seconds of [0, 50]) {
    await age(seconds)
    assert.equal((await next(0))?.id, id)
    const expected = { is_leased_for_30: true, is_due_in_15: true, fails_then: true }
    assert.deepEqual(await handedOut(id), expected)
  }
  await age(61)
  assert.equal(await next(0), undefined)
})

/** Waits until the invoker has received `count` failures. */
async function failuresOf(count: number): Promise<string[]> {
  const read = async () => (await updatesOf(server, place.asker)).filter(({ state }) => state === 'failed')
  const deadline = Date.now() + 10_000
  while ((await read()).length < count && Date.now() < deadline) await server.fetch('/api/health')
  return (await read()).map(({ id }) => id)
}

test('INTERACTION-9: an unanswered interaction fails, the user is notified once, and no later answer counts', async () => {
  const given = await askCommand(place, 'go')
  await run(sql`update interactions set fails_at = now() - interval '1 second' where id = ${given.id}`)
  server.deps.interactionDeadlines.watch(Date.now())
  assert.deepEqual(await failuresOf(1), [given.id])
  assert.equal((await reply(given)).code, 'interaction_expired')
  assert.equal(await next(0), undefined)
  const [unanswered, broken] = [await askCommand(place, 'go'), await askCommand(place, 'go')]
  await run(sql`
    update interactions set fails_at = now() - interval '31 seconds',
      state = case when id = ${broken.id} then 'answering' else state end
    where id in (${unanswered.id}, ${broken.id})`)
  await interactionJobs(server.deps).handlers.tend_interactions?.({})
  assert.deepEqual((await failuresOf(3)).toSorted(), [given.id, unanswered.id, broken.id].toSorted())
  const messages = await place.asker.client.messages.list(place.space.general)
  assert.deepEqual(messages, [])
})

test('INTERACTION-8: HEAD is refused', async () => {
  const id = await create()
  const headers = { authorization: `Bot ${place.bot.token}` }
  const path = `/api/applications/${place.bot.id}/interactions/next?timeout=0`
  assert.equal((await server.fetch(path, { method: 'HEAD', headers })).status, 405)
  assert.equal((await next(0))?.id, id)
})

test('INTERACTION-19: interactions are deleted when they are over, and with their application', async () => {
  const [old, young] = [await create(), await create()]
  await run(sql`update interactions set created_at = now() - interval '17 minutes' where id = ${old}`)
  await interactionJobs(server.deps).handlers.tend_interactions?.({})
  const left = () =>
    server.deps.database.query(sql`select id from interactions where id in (${old}, ${young})`)
  assert.deepEqual(await left(), [{ id: young }])
  await place.owner.client.applications.delete(place.bot.id)
  assert.deepEqual(await left(), [])
})

// Last test of the file: afterwards the server accepts no polls.
test('INTERACTION-8: waiting polls end when the server stops', { timeout: 20_000 }, async () => {
  const waiting = next(25)
  await server.fetch('/api/health')
  server.deps.interactionPolls.close()
  assert.equal(await waiting, undefined)
})
