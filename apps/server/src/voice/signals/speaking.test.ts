import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { newId } from '#src/kernel/ids.ts'
import { Bus, type Event } from '#src/kernel/journal/bus.ts'
import { NO_RIGHTS } from '../engine.ts'
import { EngineEvents } from '../engine-events.ts'
import { HostedSessions } from '../sessions/sessions.ts'
import { Speaking } from './speaking.ts'

const place = { tenantId: newId(), channelId: newId() }

/** The events published for a place, from an engine controlled by the test. */
function open(t: { after(close: () => void): void }) {
  const [engine, sessions] = [new EngineEvents(), new HostedSessions()]
  const bus = new Bus((error) => assert.fail(String(error)))
  const speaking = new Speaking({ engine, sessions, bus, log: pino({ level: 'silent' }) })
  t.after(() => speaking.close())
  const told: Event[] = []
  bus.subscribe({ caches: [{ receive: (events) => void told.push(...events) }] })
  const enter = (channelId: string, canSpeak = true) => {
    const session = { id: newId(), userId: newId(), loginId: newId(), place: { ...place, channelId } }
    sessions.add(session).rights = { ...NO_RIGHTS, canSpeak, canHear: true }
    return session.userId
  }
  const speak = (...userIds: string[]) => engine.emit('speaking', { place, userIds })
  const speakersTo = (userId: string) =>
    told.filter(({ topic }) => topic.tenantId === userId).map(({ data }) => JSON.parse(data).user_ids)
  return { enter, speak, speakersTo, told }
}

test('VHOST-12: only users in the room receive who is speaking, and muted users are not listed', (t) => {
  const { enter, speak, speakersTo, told } = open(t)
  const [ada, eve, mute] = [enter(place.channelId), enter(place.channelId), enter(place.channelId, false)]
  const elsewhere = enter(newId())
  speak(ada, mute, newId())
  for (const hearer of [ada, eve, mute]) assert.deepEqual(speakersTo(hearer), [[ada]])
  assert.deepEqual(speakersTo(elsewhere), [])
  assert.equal(new Set(told.map(({ data }) => data)).size, 1)
  assert.ok(told.every(({ id, name }) => id === undefined && name === 'VOICE_SPEAKING'))
  const [{ data } = { data: '' }] = told
  assert.deepEqual(JSON.parse(data), { room_id: place.channelId, conversation_id: null, user_ids: [ada] })
})

test('VHOST-12: changes are sent at most five times a second, and the last state always', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { enter, speak, speakersTo } = open(t)
  const [ada, eve] = [enter(place.channelId), enter(place.channelId)]
  for (let turn = 0; turn < 50; turn += 1) {
    speak(turn % 3 === 0 ? ada : eve)
    speak(turn % 3 === 1 ? ada : eve)
    t.mock.timers.tick(20)
  }
  // At once, and then after each 200 ms if something is new.
  assert.ok(speakersTo(eve).length <= 6, `${speakersTo(eve).length} times`)
  assert.ok(speakersTo(eve).length >= 3, `${speakersTo(eve).length} times`)
  speak()
  t.mock.timers.tick(200)
  assert.deepEqual(speakersTo(eve).at(-1), [])
  speak()
  t.mock.timers.tick(1000)
  assert.equal(speakersTo(eve).filter((speakers) => speakers.length === 0).length, 1)
})
