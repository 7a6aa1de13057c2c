import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { until } from '#test/until.ts'
import {
  type EngineWorld,
  FULL_RIGHTS,
  newSession,
  openEmbedded,
  openLiveKit,
  recordEvents,
} from '#test/voice/voice-engines.ts'

for (const [name, open] of [
  ['embedded', openEmbedded],
  ['LiveKit', openLiveKit],
] as const)
  suite(`the ${name} engine`, () => {
    let world: EngineWorld
    before(async () => {
      world = await open()
    })
    after(() => world.close())

    test('ENGINE-1: an admitted user hears everyone who may speak in the same room, and nobody else', async () => {
      const told = recordEvents(world.engine)
      const place = randomUUID()
      const [anna, ben] = [await world.enter(newSession(place)), await world.enter(newSession(place))]
      const listener = await world.enter(newSession(place), { ...FULL_RIGHTS, canSpeak: false })
      const elsewhere = await world.enter(newSession())
      await Promise.all([anna.hears(ben), ben.hears(anna), listener.hears(anna, ben), elsewhere.hears()])
      const ids = [anna, ben, listener, elsewhere].map(({ session }) => session.id)
      assert.deepEqual(told.joined.map(({ sessionId }) => sessionId).sort(), ids.sort())
      const { rooms, sessions } = await world.engine.stats()
      assert.deepEqual({ rooms, sessions }, { rooms: 2, sessions: 4 })
      for (const guest of [anna, ben, listener, elsewhere]) await world.engine.kick(guest.session.id, 'left')
    })

    test('ENGINE-2: permissions apply from the moment they are set, whatever a client sends', async () => {
      const { engine } = world
      const place = randomUUID()
      const [anna, ben] = [await world.enter(newSession(place)), await world.enter(newSession(place))]
      await Promise.all([anna.hears(ben), ben.hears(anna)])
      await engine.setRights(anna.session.id, { ...FULL_RIGHTS, canSpeak: false })
      await Promise.all([anna.hears(ben), ben.hears()])
      await engine.setRights(anna.session.id, { ...FULL_RIGHTS, canHear: false })
      await Promise.all([anna.hears(), ben.hears(anna)])
      await engine.setRights(anna.session.id, FULL_RIGHTS)
      await Promise.all([anna.hears(ben), ben.hears(anna)])
      await engine.closeRoom(anna.session.place)
    })

    test('ENGINE-2: permissions revoked before a session connects do not apply to it', async () => {
      const place = randomUUID()
      const ben = await world.enter(newSession(place))
      const session = newSession(place)
      const grant = await world.engine.join(session, FULL_RIGHTS)
      await world.engine.setRights(session.id, { ...FULL_RIGHTS, canSpeak: false })
      const anna = await world.connect(session, grant)
      await Promise.all([anna.hears(ben), ben.hears()])
      await world.engine.closeRoom(ben.session.place)
    })

    test('ENGINE-3: an ended session is out at once, and its credentials admit nobody', async () => {
      const { engine } = world
      const told = recordEvents(engine)
      const place = randomUUID()
      const ben = await world.enter(newSession(place))
      const session = newSession(place)
      const grant = await engine.join(session, FULL_RIGHTS)
      const anna = await world.connect(session, grant)
      await Promise.all([ben.hears(anna), anna.hears(ben)])
      await engine.kick(session.id, 'disconnected')
      await Promise.all([anna.isOut(), ben.hears()])
      const again = await world.connect(session, grant).catch(() => undefined)
      await Promise.all([again?.isOut(), ben.hears()])
      assert.deepEqual(told.left, [], 'the server knows whom it has ended')
      await ben.leave()
    })

    test('ENGINE-3: commands for an unknown session have no effect', async () => {
      const { engine } = world
      const { id, place } = newSession()
      await engine.setRights(id, FULL_RIGHTS)
      await engine.kick(id, 'left')
      await engine.closeRoom(place)
      await assert.rejects(engine.signal(id, 'v=0'), { code: 'unknown_voice_session' })
    })

    test('ENGINE-4: closing a room ends everyone in it, and nobody else', async () => {
      const place = randomUUID()
      const [anna, ben] = [await world.enter(newSession(place)), await world.enter(newSession(place))]
      const other = randomUUID()
      const [carl, dora] = [await world.enter(newSession(other)), await world.enter(newSession(other))]
      await Promise.all([anna.hears(ben), ben.hears(anna)])
      await world.engine.closeRoom(anna.session.place)
      await Promise.all([anna.isOut(), ben.isOut(), carl.hears(dora), dora.hears(carl)])
      await world.engine.closeRoom(carl.session.place)
    })

    test('ENGINE-5: a user who leaves by themselves is reported', async () => {
      const told = recordEvents(world.engine)
      const anna = await world.enter(newSession())
      await anna.leave()
      const left = { sessionId: anna.session.id, reason: 'left' }
      await until(async () => told.left.length > 0, 'it tells who left')
      assert.deepEqual(told.left, [left])
    })

    test('ENGINE-6: a session that joins again has a new grant, and its old connection is ended without a report', async () => {
      const told = recordEvents(world.engine)
      const place = randomUUID()
      const ben = await world.enter(newSession(place))
      const session = newSession(place)
      const old = await world.enter(session)
      await old.hears(ben)
      const anna = await world.enter(session)
      await Promise.all([old.isOut(), ben.hears(anna), anna.hears(ben)])
      await old.leave()
      await world.engine.setRights(session.id, { ...FULL_RIGHTS, canSpeak: false })
      await ben.hears()
      assert.deepEqual(told.left, [])
    })

    test('ENGINE-7: a drained engine carries nobody, and admits nobody', async () => {
      const own = await open()
      const place = randomUUID()
      const [anna, ben] = [await own.enter(newSession(place)), await own.enter(newSession(place))]
      await Promise.all([anna.hears(ben), ben.hears(anna)])
      await own.engine.drain()
      await Promise.all([anna.isOut(), ben.isOut()])
      await assert.rejects(own.engine.join(newSession(), FULL_RIGHTS), { code: 'voice_unavailable' })
      const { rooms, sessions } = await own.engine.stats()
      assert.deepEqual({ rooms, sessions }, { rooms: 0, sessions: 0 })
      await own.close()
    })
  })
