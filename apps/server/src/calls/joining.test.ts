import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient, identify } from '#test/gateway-client.ts'
import { enterCall, leaveCall } from '#test/scenes/calls.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { askVoice, changeVoice, joinVoice } from '#test/voice/voice.ts'

let server: TestServer
let ada: Person
let ben: Person
let eve: Person
let clients: Map<Person, GatewayClient>

before(async () => {
  server = await startTestServer({ rateLimits: true })
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  eve = await createPerson(server, 'eve')
  clients = new Map()
  for (const person of [ada, ben, eve]) clients.set(person, await connect(server, person))
})
after(() => server.close())

const clientOf = (person: Person) => clients.get(person) ?? assert.fail('they are not connected')
const join = (person: Person, id: string) => joinVoice(clientOf(person), { conversation_id: id })

/** Waits until the person has received an event of the call. Checks the last one of this name. */
async function receivesCall(
  person: Person,
  name: string,
  id: string,
  ringing?: readonly Person[],
): Promise<void> {
  const wanted = ringing?.map((other) => other.id).toSorted()
  await clientOf(person).find(({ t, d }) => {
    const told = Object(d)
    if (t !== name || (told.conversation_id ?? told.id) !== id) return false
    return wanted === undefined || JSON.stringify(told.ringing.toSorted()) === JSON.stringify(wanted)
  }, `${name} of the call`)
}

/** Waits until the person has received the call's message. */
async function receivesRecord(person: Person, id: string): Promise<string[]> {
  const told = ({ t, d }: { t?: string; d: unknown }) =>
    t === 'MESSAGE_CREATE' && Object(d).conversation_id === id && Object(d).call !== null
  const { d } = await clientOf(person).find(told, 'the message of the call')
  assert.equal(clientOf(person).frames.filter(told).length, 1)
  return Object(d).call.participant_ids
}

test('CALL-1, CALL-3 and CALL-5: joining over the gateway starts a call, and leaving ends it', async () => {
  const { id } = await makeDirect(server, ada, ben)
  await join(ada, id)
  await receivesCall(ben, 'CALL_CREATE', id, [ben])
  await join(ben, id)
  await receivesCall(ada, 'CALL_UPDATE', id, [])
  // A second device of the same person joins the same call.
  const tablet = await connect(server, ben)
  await joinVoice(tablet, { conversation_id: id })
  await changeVoice(clientOf(ada), {})
  await changeVoice(tablet, {})
  tablet.close()
  await receivesCall(ada, 'CALL_DELETE', id)
  assert.deepEqual(await receivesRecord(ada, id), [ada.id, ben.id])
  assert.deepEqual(await receivesRecord(ben, id), [ada.id, ben.id])
})

test('CALL-5: moving to another call ends the first, and starts the other', async () => {
  const [one, other] = [await makeGroup(server, ada, [ben, eve]), await makeGroup(server, ada, [ben, eve])]
  await join(ada, one.id)
  await join(ada, other.id)
  await receivesCall(eve, 'CALL_DELETE', one.id)
  await receivesCall(eve, 'CALL_CREATE', other.id, [ben, eve])
  assert.deepEqual(await receivesRecord(eve, one.id), [ada.id])
  await changeVoice(clientOf(ada), {})
  await receivesCall(eve, 'CALL_DELETE', other.id)
})

test('CALL-4: it rings again four times a minute, in each conversation', async () => {
  const [one, other] = [await makeGroup(server, ada, [ben, eve]), await makeGroup(server, ada, [ben, eve])]
  const ring = (id: string) => codeOf(ada.call('POST', `/api/conversations/${id}/call/ring`))
  await enterCall(server, ada, one.id)
  const answers: unknown[] = []
  for (let time = 0; time < 5; time += 1) answers.push(await ring(one.id))
  assert.deepEqual(answers, [204, 204, 204, 204, '429 rate_limited'])
  await leaveCall(server, ada, one.id)
  await enterCall(server, ada, other.id)
  assert.equal(await ring(other.id), 204)
  await leaveCall(server, ada, other.id)
})

test('CALL-5: a block ends a direct call, and prevents another', async () => {
  const { id } = await makeDirect(server, ben, eve)
  await join(ben, id)
  await join(eve, id)
  await receivesCall(eve, 'CALL_CREATE', id)
  await eve.client.friends.block(ben.id)
  await receivesCall(ben, 'CALL_DELETE', id)
  assert.deepEqual(await receivesRecord(ben, id), [ben.id, eve.id])
  assert.equal(await askVoice(clientOf(ben), { conversation_id: id }), 'blocked_conversation')
})

test('CALL-5: a user who is removed from the group, or logs out, leaves its call', async () => {
  const guest = await createPerson(server, 'guest')
  const { id } = await makeGroup(server, ada, [ben, guest])
  const phone = await connect(server, guest)
  await joinVoice(phone, { conversation_id: id })
  await join(ben, id)
  await ada.client.conversations.removeMember(id, guest.id)
  await changeVoice(clientOf(ben), {})
  await receivesCall(ada, 'CALL_DELETE', id)
  assert.deepEqual(await receivesRecord(ada, id), [guest.id, ben.id])
  const { id: direct } = await makeDirect(server, guest, ada)
  await joinVoice(phone, { conversation_id: direct })
  const [own] = await server.deps.database.query<{ login_id: string }>(
    sql`select login_id from voice_states where user_id = ${guest.id}`,
  )
  await guest.client.auth.deleteSession(own?.login_id ?? '')
  assert.equal(await phone.closed, CloseCode.SessionEnded)
  await receivesCall(ada, 'CALL_DELETE', direct)
})

test('CALL-2: a bot calls people in its conversation, and is called without ringing', async () => {
  const bot = await createBot(server, 'robot')
  const { id } = await makeDirect(server, bot, eve)
  await join(eve, id)
  await receivesCall(eve, 'CALL_CREATE', id, [])
  await changeVoice(clientOf(eve), {})
  assert.deepEqual(await receivesRecord(eve, id), [eve.id])
  const { id: other } = await makeDirect(server, bot, ben)
  const program = await identify(server, { token: `Bot ${bot.token}` })
  await joinVoice(program, { conversation_id: other })
  await receivesCall(ben, 'CALL_CREATE', other, [ben])
  await join(ben, other)
  await receivesCall(ben, 'CALL_UPDATE', other, [])
  await changeVoice(program, {})
  await changeVoice(clientOf(ben), {})
  assert.deepEqual(await receivesRecord(ben, other), [bot.id, ben.id])
  program.close()
})
