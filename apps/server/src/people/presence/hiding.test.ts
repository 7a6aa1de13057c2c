import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { type GatewayClient, openGateway, openSession } from '#test/gateway-client.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { acquaint } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { until } from '#test/until.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

let processes: Processes

before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
})
after(() => processes?.close())

async function come(at: { url: string }, { id }: Person, status: string): Promise<GatewayClient> {
  const client = await openGateway(at)
  const { token, session_token } = await openSession(processes.servers[0], id)
  client.send(Opcode.Identify, { token, session_token, presence: { status } })
  await client.findEvent('READY')
  return client
}

/** Statuses of a user that the client received, in order. */
function told(client: GatewayClient, { id }: Person): string[] {
  const updates = client.heard('PRESENCE_UPDATE').map(({ text }) => JSON.parse(text).d)
  return updates.filter(({ user_id }) => user_id === id).map(({ status }) => status)
}

test('PRESENCE-10: an invisible user stays invisible when Valkey goes down and comes back empty, whatever another device sends', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve, kim] = await Promise.all(['ada', 'eve', 'kim'].map((name) => createPerson(one, name)))
  assert.ok(ada && eve && kim)
  await acquaint(one, [ada, eve, kim])
  const phone = await come(one, ada, 'invisible')
  const laptop = await come(other, ada, 'online')
  const [near, far] = [await come(other, eve, 'online'), await come(one, eve, 'online')]
  const kims = await come(other, kim, 'online')
  await processes.valkey.kill()
  await until(async () => other.deps.valkey?.isUp === false, 'Valkey is away')
  laptop.send(Opcode.PresenceUpdate, { status: 'dnd' })
  kims.send(Opcode.PresenceUpdate, { status: 'dnd' })
  await until(async () => told(near, kim).includes('dnd'), 'others are seen')
  await processes.valkey.start()
  await until(async () => told(far, kim).includes('dnd'), 'Valkey is back')
  laptop.send(Opcode.PresenceUpdate, { status: 'idle' })
  await laptop.settle()
  await until(async () => other.deps.presences.choiceOf(ada.id)?.status === 'invisible', 'it is settled')
  assert.deepEqual([told(near, ada), told(far, ada)], [[], []])
  phone.close()
  // Only then does the other device count.
  await until(async () => told(near, ada).length > 0 && told(far, ada).length > 0, 'the phone is gone')
  assert.deepEqual([told(near, ada), told(far, ada)], [['idle'], ['idle']])
  for (const client of [laptop, near, far, kims]) client.close()
})
