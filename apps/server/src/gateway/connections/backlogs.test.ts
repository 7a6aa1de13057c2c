import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Opcode } from '@foyer/protocol/gateway'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient, openGateway, openSession } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const MIB = 2 ** 20
const BUDGET = 5 * MIB
const CHUNK = JSON.stringify('x'.repeat(64 * 1024))
/** Far more than the system buffers for a socket. */
const MAX_ROUNDS = 1000

let server: TestServer
let people: Person[]

before(async () => {
  server = await startTestServer({ gatewayBacklogBytes: BUDGET })
  people = await Promise.all(['ada', 'eve', 'kim'].map((name) => createPerson(server, name)))
})
after(() => server.close())

async function metric(name: string): Promise<number> {
  const text = await server.deps.metrics.registry.getSingleMetricAsString(name)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

function tell({ id }: Person, times: number): void {
  const event = { topic: topicOf.user(id), audience: 0, name: 'LARGE', data: CHUNK }
  for (let time = 0; time < times; time += 1) server.deps.bus.emit([{ id: newId(), ...event }])
}

test('ADMISSION-6: the client with the most unsent data is disconnected past the common budget, and the others receive everything', async () => {
  const clients: GatewayClient[] = []
  for (const person of people) clients.push(await connect(server, person))
  const [most, less, none] = clients
  const [ada, eve, kim] = people
  assert.ok(most && less && none && ada && eve && kim)
  for (const client of [most, less]) client.socket.pause()
  let [rounds, unsent] = [0, 0]
  for (; (await metric('foyer_gateway_slow_closed_total')) === 0; rounds += 1) {
    assert.ok(rounds < MAX_ROUNDS, 'nobody was cut off')
    unsent = Math.max(unsent, await metric('foyer_gateway_unsent_bytes'))
    tell(ada, 3)
    tell(eve, 2)
    tell(kim, 1)
    await turn()
  }
  assert.ok(unsent <= BUDGET, `${unsent} bytes were kept`)
  assert.ok((await metric('foyer_gateway_unsent_bytes')) < BUDGET)
  for (const client of [most, less]) client.socket.resume()
  assert.equal(await most.closed, 1006)
  await Promise.all([less.settle(), none.settle()])
  assert.deepEqual([less.heard('LARGE').length, none.heard('LARGE').length], [2 * rounds, rounds])
  assert.equal(await metric('foyer_gateway_slow_closed_total'), 1)
  assert.ok(most.heard('LARGE').length < 3 * rounds)
  for (const client of [less, none]) client.close()
})

test('ADMISSION-6: events held for joining clients count, too', async () => {
  const [ada, eve] = people
  assert.ok(ada && eve)
  const cutBefore = await metric('foyer_gateway_slow_closed_total')
  const identities = [await openSession(server, ada.id), await openSession(server, eve.id)]
  const [more, less] = [await openGateway(server), await openGateway(server)]
  const lock = await holdLock(server, sql`lock table members in access exclusive mode`)
  more.send(Opcode.Identify, identities[0])
  await untilHeld(ada)
  less.send(Opcode.Identify, identities[1])
  await untilHeld(eve)
  tell(eve, 34)
  tell(ada, 34)
  assert.equal(await metric('foyer_gateway_slow_closed_total'), cutBefore)
  tell(ada, 15)
  assert.equal(await metric('foyer_gateway_slow_closed_total'), cutBefore + 1)
  await lock.release()
  assert.equal(await more.closed, 1006)
  await less.findEvent('READY')
  await less.settle()
  assert.equal(less.heard('LARGE').length, 35)
  less.close()
})

/** Waits until one event is held for the person: the connection is joining then. */
async function untilHeld(person: Person): Promise<void> {
  const deadline = Date.now() + 4000
  const before = await metric('foyer_gateway_unsent_bytes')
  while ((await metric('foyer_gateway_unsent_bytes')) === before) {
    assert.ok(Date.now() < deadline, 'nothing is held')
    await turn()
    tell(person, 1)
  }
}
