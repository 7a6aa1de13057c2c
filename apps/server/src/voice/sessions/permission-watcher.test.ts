import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient, identify, openSession } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { botWith, createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { findSignal, receivesNothing, type Talker, type TalkPlace, talk } from '#test/voice/talkers.ts'

const HERS = 300
const HIS = 700
const ROLE = 0
const MEMBER = 1

let server: TestServer
let ada: Person
let space: TestSpace
/** Ada's, who is in the lounge and talks all the time. */
let hers: Talker
let count = 0
const opened: { close(): void }[] = []

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
  hers = await talk(await connect(server, ada), { room_id: space.lounge }, HERS)
})
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
after(async () => {
  hers?.close()
  hers?.client.close()
  await server?.close()
})

function keep<T extends { close(): void }>(one: T): T {
  opened.push(one)
  return one
}

async function newKim(): Promise<Person> {
  count += 1
  const kim = await createPerson(server, `kim${count}`)
  await join(kim, ada, space)
  return kim
}

const talkAs = async (client: GatewayClient, place: TalkPlace, tone = HIS) =>
  keep(await talk(keep(client), place, tone))

/** A new user in the lounge. They and Ada hear each other. */
async function enterLounge(kim: Person): Promise<Talker> {
  const his = await talkAs(await connect(server, kim), { room_id: space.lounge })
  await Promise.all([his.peer.hears(HERS), hers.peer.hears(HIS)])
  return his
}

/** Neither hears the other now. */
const partFrom = (his: Talker, other = hers) => Promise.all([receivesNothing(other), receivesNothing(his)])

async function isInVoice({ id }: Person): Promise<boolean> {
  const rows = await server.deps.database.query(sql`select from voice_states where user_id = ${id}`)
  return rows.length > 0
}

const deny = (target: { id: string; type: number }, flags: number, roomId = space.lounge) =>
  ada.client.overwrites.upsert(space.id, roomId, {
    target_id: target.id,
    target_type: target.type,
    allow_flags: 0,
    deny_flags: flags,
  })

describe('revoking permissions in a voice room', () => {
  const takings: Record<string, (kim: Person) => Promise<unknown>> = {
    'a kick': (kim) => ada.client.members.kick(space.id, kim.id),
    'a ban': (kim) => ada.client.bans.create(space.id, kim.id),
    'leaving the space': (kim) => kim.client.members.leave(space.id),
    'an overwrite without JoinVoice': (kim) => deny({ id: kim.id, type: MEMBER }, Permission.JoinVoice),
    'an overwrite that hides the room': (kim) => deny({ id: kim.id, type: MEMBER }, Permission.ViewChannels),
    'a role that may not join': async (kim) => {
      const role = await ada.client.roles.create(space.id, { name: 'quiet' })
      await deny({ id: role.id, type: ROLE }, Permission.JoinVoice)
      await ada.client.roles.assign(space.id, kim.id, role.id)
    },
    '@everyone without JoinVoice': async () => {
      const everyone = (await ada.client.roles.list(space.id)).find(({ id }) => id === space.id)
      assert.ok(everyone)
      const { permissions } = everyone
      await ada.client.roles.update(space.id, space.id, { permissions: permissions & ~Permission.JoinVoice })
      await ada.client.roles.update(space.id, space.id, { permissions })
    },
  }
  for (const [what, take] of Object.entries(takings)) {
    test(`VHOST-3: ${what} ends the user’s voice at once, in both directions`, async () => {
      const kim = await newKim()
      const his = await enterLounge(kim)
      await take(kim)
      await partFrom(his)
      assert.equal(await his.end(), 'permission_lost')
      assert.equal(await isInVoice(kim), false)
    })
  }

  test('VHOST-3: logging out ends the voice of that login only', async () => {
    const kim = await newKim()
    const session = await openSession(server, kim.id)
    const device = keep(await connect(server, kim))
    const his = await talkAs(await identify(server, session), { room_id: space.lounge })
    await hers.peer.hears(HIS)
    await device.settle()
    await kim.call('DELETE', `/api/auth/sessions/${session.sessionId}`)
    await partFrom(his)
    const { reason } = await findSignal(device, 'end', ({ session_id }) => session_id === his.sessionId)
    assert.equal(reason, 'session_ended')
    const next = await talkAs(device, { room_id: space.lounge })
    const other = await openSession(server, kim.id)
    await kim.call('DELETE', `/api/auth/sessions/${other.sessionId}`)
    await hers.peer.hears(HIS)
    assert.equal(await isInVoice(kim), true)
    next.close()
  })

  test('VHOST-3: a new token ends the voice of a bot with the old one', async () => {
    const { application, token } = await ada.client.applications.create({ name: 'Parrot' })
    const bot = botWith(server, token)
    await ada.client.members.addBot(space.id, bot.id)
    const his = await talkAs(await identify(server, { token: `Bot ${token}` }), { room_id: space.lounge })
    await hers.peer.hears(HIS)
    const { token: fresh } = await ada.client.applications.resetToken(application.id)
    await partFrom(his)
    await until(async () => !(await isInVoice(bot)), 'the state is gone')
    const again = await talkAs(await identify(server, { token: `Bot ${fresh}` }), { room_id: space.lounge })
    await hers.peer.hears(HIS)
    again.close()
  })

  test('VHOST-4: a user who may not speak is not forwarded but still hears, and is forwarded again once allowed', async () => {
    const kim = await newKim()
    const his = await enterLounge(kim)
    await deny({ id: kim.id, type: MEMBER }, Permission.SpeakInVoice)
    await receivesNothing(hers)
    await his.peer.hears(HERS)
    await ada.client.overwrites.delete(space.id, space.lounge, kim.id)
    await hers.peer.hears(HIS)
  })

  test('TIMEOUT-7: a member who is timed out is not forwarded, and hears the others, until it ends by itself', async () => {
    const kim = await newKim()
    const his = await enterLounge(kim)
    const end = Date.now() + 4000
    await ada.client.members.timeOut(space.id, kim.id, { until: new Date(end).toISOString() })
    await receivesNothing(hers)
    await his.peer.hears(HERS)
    await until(async () => Date.now() > end, 'the timeout has ended')
    await hers.peer.hears(HIS)
    await ada.client.members.timeOut(space.id, kim.id, { until: new Date(Date.now() + 60_000).toISOString() })
    await receivesNothing(hers)
    await ada.client.members.liftTimeout(space.id, kim.id)
    await hers.peer.hears(HIS)
  })

  test('TIMEOUT-7: a member who joins while timed out is forwarded when it ends', async () => {
    const kim = await newKim()
    const end = Date.now() + 6000
    await ada.client.members.timeOut(space.id, kim.id, { until: new Date(end).toISOString() })
    const his = await talkAs(await connect(server, kim), { room_id: space.lounge })
    await his.peer.hears(HERS)
    await receivesNothing(hers)
    await until(async () => Date.now() > end, 'the timeout has ended')
    await hers.peer.hears(HIS)
  })

  test('VHOST-4: a muted user is not forwarded, whether by themselves or by the space, and a deafened one receives nothing either', async () => {
    const kim = await newKim()
    const his = await enterLounge(kim)
    const setSelf = (flags: object) =>
      his.client.send(Opcode.VoiceStateUpdate, { room_id: space.lounge, ...flags })
    setSelf({ self_mute: true })
    await receivesNothing(hers)
    await ada.client.members.updateVoice(space.id, kim.id, { mute: true })
    setSelf({ self_mute: false })
    await until(async () => {
      const states = his.client.heard('VOICE_STATE_UPDATE').map(({ d }) => Object(d))
      return states.at(-1)?.self_mute === false && states.at(-1)?.mute === true
    }, 'both are told')
    await receivesNothing(hers)
    await his.peer.hears(HERS)
    await ada.client.members.updateVoice(space.id, kim.id, { mute: false })
    await hers.peer.hears(HIS)
    setSelf({ self_deaf: true })
    await partFrom(his)
    setSelf({ self_deaf: false })
    await Promise.all([his.peer.hears(HERS), hers.peer.hears(HIS)])
    await ada.client.members.updateVoice(space.id, kim.id, { deaf: true })
    await partFrom(his)
  })

  test('VHOST-5: a permission revoked during a join is revoked from it, too', async () => {
    const kim = await newKim()
    const session = await openSession(server, kim.id)
    const [client, device] = [keep(await identify(server, session)), keep(await connect(server, kim))]
    const lock = await holdLock(
      server,
      sql`select pg_advisory_xact_lock(hashtextextended('voice of ' || ${kim.id}, 0))`,
    )
    client.send(Opcode.VoiceStateUpdate, { room_id: space.lounge })
    await lock.waitForBlocked(1)
    await kim.call('DELETE', `/api/auth/sessions/${session.sessionId}`)
    assert.equal(await client.closed, CloseCode.SessionEnded)
    await lock.release()
    // Its media has not begun. Media that never arrives has another reason, and a later one.
    assert.equal((await findSignal(device, 'end')).reason, 'failed')
    assert.ok(hers.client.heard('VOICE_STATE_UPDATE').some(({ d }) => Object(d).user_id === kim.id))
    assert.equal(await isInVoice(kim), false)
  })

  test('VHOST-6: media ends while the database is down, and the state when it is back', async () => {
    const kim = await newKim()
    const his = await enterLounge(kim)
    const lock = await holdLock(server, sql`lock table voice_states in access exclusive mode`)
    await ada.client.members.kick(space.id, kim.id)
    await partFrom(his)
    await lock.waitForBlocked(1)
    await server.deps.database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    await lock.release()
    assert.equal(await his.end(), 'permission_lost')
    assert.equal(await isInVoice(kim), false)
  })

  test('VHOST-3: the end of a room or its space ends the voice of everyone in it', async () => {
    const kim = await newKim()
    const other = await makeSpace(ada, [kim])
    const room = await ada.client.rooms.create(other.id, { name: 'Attic', type: RoomType.Voice })
    const inAttic = await talkAs(await connect(server, kim), { room_id: room.id })
    await ada.client.rooms.delete(other.id, room.id)
    assert.equal(await inAttic.end(), 'room_deleted')
    const his = await talkAs(await connect(server, kim), { room_id: other.lounge })
    await ada.client.spaces.delete(other.id)
    assert.equal(await his.end(), 'room_deleted')
    assert.equal(await isInVoice(kim), false)
  })
})

describe('revoking access to a call', () => {
  test('VHOST-3: a user who is no longer in the group is not in its call', async () => {
    const [kim, liz] = [await newKim(), await newKim()]
    const { id } = await makeGroup(server, liz, [kim, ada])
    const place = { conversation_id: id }
    const [hisPart, lizs] = [
      await talkAs(await connect(server, kim), place),
      await talkAs(await connect(server, liz), place, HERS),
    ]
    await Promise.all([hisPart.peer.hears(HERS), lizs.peer.hears(HIS)])
    await liz.client.conversations.removeMember(id, kim.id)
    await partFrom(hisPart, lizs)
    assert.equal(await hisPart.end(), 'permission_lost')
  })

  test('VHOST-3: a block ends the direct call for both', async () => {
    const [kim, liz] = [await newKim(), await newKim()]
    const place = { conversation_id: (await makeDirect(server, kim, liz)).id }
    const both = [
      await talkAs(await connect(server, kim), place),
      await talkAs(await connect(server, liz), place, HERS),
    ] as const
    await both[0].peer.hears(HERS)
    await liz.client.friends.block(kim.id)
    await partFrom(...both)
    for (const one of both) assert.equal(await one.end(), 'permission_lost')
  })
})
