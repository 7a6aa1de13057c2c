import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { type ChildServer, startChildServer } from '#test/processes/child-server.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { receivesNothing, type Talker, talk } from '#test/voice/talkers.ts'

const TONES = { ada: 300, eve: 500, kim: 700, liz: 900 }

describe('voice by several processes', { skip: withoutValkey }, () => {
  let processes: Processes
  let one: TestServer
  let other: TestServer
  const people: Record<keyof typeof TONES, Person> = Object.create(null)
  let space: TestSpace
  let attic: string
  /** By themselves, so that they can be killed. */
  const carriers: ChildServer[] = []
  const talkers: Talker[] = []

  before(async () => {
    processes = await startProcesses([
      { services: ['api', 'gateway', 'jobs'] },
      { services: ['api', 'gateway'] },
    ])
    ;[one, other] = processes.servers
    for (const name of ['ada', 'eve', 'kim', 'liz'] as const) people[name] = await createPerson(one, name)
    const { ada, eve, kim, liz } = people
    space = await makeSpace(ada, [eve, kim, liz])
    attic = (await ada.client.rooms.create(space.id, { name: 'Attic', type: RoomType.Voice })).id
  })
  after(async () => {
    for (const { peer, client } of talkers) {
      peer.close()
      client.close()
    }
    for (const carrier of carriers) await carrier.kill()
    await processes?.close()
  })

  const speak = async (name: keyof typeof TONES, client: GatewayClient, roomId: string) => {
    const talker = await talk(client, { room_id: roomId }, TONES[name])
    talkers.push(talker)
    return talker
  }
  const enter = async (name: keyof typeof TONES, server: TestServer, roomId: string) =>
    speak(name, await connect(server, people[name]), roomId)
  const startCarrier = async () => {
    const { config, connection } = processes.shared
    const before = await hostIds()
    const carrier = await startChildServer({ config: { ...config, services: ['voice'] }, connection })
    carriers.push(carrier)
    const isNew = (id: string) => !before.includes(id)
    await until(async () => (await hostIds()).some(isNew), 'it is there')
    return { carrier, hostId: (await hostIds()).find(isNew) }
  }
  const hostIds = async () => {
    const rows = await one.deps.database.query<{ id: string }>(sql`select id from voice_hosts order by id`)
    return rows.map(({ id }) => id)
  }
  const hostOf = async ({ id }: Person) => {
    const [row] = await one.deps.database.query<{ host_id: string }>(sql`
      select host_id from voice_states where user_id = ${id}`)
    return row?.host_id
  }

  test('VHOST-2: a join is refused if no process carries voice, and no state is left', async () => {
    const client = await connect(one, people.ada)
    client.send(Opcode.VoiceStateUpdate, { room_id: space.lounge })
    const { d } = await client.findCommand(Opcode.Error)
    assert.equal(Object(d).code, 'voice_unavailable')
    assert.equal(await hostOf(people.ada), undefined)
    client.close()
  })

  test('VHOST-2: a join waits for a process that starts', async () => {
    const client = await connect(one, people.ada)
    client.send(Opcode.VoiceStateUpdate, { room_id: space.lounge })
    const host = await processes.start({ services: ['voice'] })
    assert.equal(Object((await client.findCommand(Opcode.VoiceSignal)).d).kind, 'grant')
    client.close()
    await host.close()
    await until(async () => (await hostOf(people.ada)) === undefined, 'the session has ended')
  })

  test('VHOST-14: a process that only carries voice opens its ports at the start', async () => {
    const host = await processes.start({ services: ['voice'] })
    await until(async () => (await host.deps.voiceEngine?.stats())?.processes === 1, 'its media process runs')
    await host.close()
  })

  test('VHOST-1: everyone in one room is carried by one process, wherever they are connected, and another room by the less busy one', async () => {
    const first = await startCarrier()
    const [adas, eves] = [await enter('ada', one, space.lounge), await enter('eve', other, space.lounge)]
    await Promise.all([adas.peer.hears(TONES.eve), eves.peer.hears(TONES.ada)])
    const second = await startCarrier()
    const [kims, lizs] = [await enter('kim', one, attic), await enter('liz', other, attic)]
    await Promise.all([kims.peer.hears(TONES.liz), lizs.peer.hears(TONES.kim)])
    const hosts = [people.ada, people.eve, people.kim, people.liz].map(hostOf)
    assert.deepEqual(await Promise.all(hosts), [first.hostId, first.hostId, second.hostId, second.hostId])
  })

  test('VHOST-8: rooms of a killed process continue on the others', async () => {
    const [adas, eves, kims, lizs] = talkers
    assert.ok(adas && eves && kims && lizs)
    await carriers[0]?.kill()
    assert.deepEqual(await Promise.all([adas.end(), eves.end()]), ['failed', 'failed'])
    await Promise.all([kims.peer.hears(TONES.liz), lizs.peer.hears(TONES.kim)])
    const again = await Promise.all([
      speak('ada', adas.client, space.lounge),
      speak('eve', eves.client, space.lounge),
    ])
    await Promise.all([again[0].peer.hears(TONES.eve), again[1].peer.hears(TONES.ada)])
    assert.equal(await hostOf(people.ada), await hostOf(people.kim))
  })

  test('VHOST-7: revoked permissions end media on other processes while Valkey is down', async () => {
    const [kims, lizs] = talkers.slice(2, 4)
    assert.ok(kims && lizs)
    processes.valkey.pause()
    await people.ada.client.members.kick(space.id, people.kim.id)
    await Promise.all([receivesNothing(kims), receivesNothing(lizs)])
    processes.valkey.resume()
  })
})
