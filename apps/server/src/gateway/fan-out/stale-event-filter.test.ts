import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { type Event, topicOf } from '#src/kernel/journal/bus.ts'
import { StaleEventFilter } from './stale-event-filter.ts'

const space = topicOf.space(newId())
const roleId = newId()

function event(name: string, at: number, data: object = { id: roleId }): Event {
  return { id: firstIdAt(at), topic: space, audience: 0, name, data: JSON.stringify(data) }
}

test('PROCESS-26: an event received after a later change of the same thing is dropped', () => {
  const filter = new StaleEventFilter()
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 5000)), false)
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 4000)), true)
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 4000, { id: newId() })), false)
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 6000)), false)
})

test('PROCESS-26: a late event does not bring back what was deleted', () => {
  const filter = new StaleEventFilter()
  assert.equal(filter.isStale(event('SPACE_ROLE_DELETE', 5000, { role_id: roleId })), false)
  for (const name of ['SPACE_ROLE_CREATE', 'SPACE_ROLE_UPDATE'])
    assert.equal(filter.isStale(event(name, 4000)), true, name)
})

test('PROCESS-26: a creation is delivered, even after a change of the same thing', () => {
  const filter = new StaleEventFilter()
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 5000)), false)
  assert.equal(filter.isStale(event('SPACE_ROLE_CREATE', 4000)), false)
})

test('PROCESS-26: small clock differences and events that are not tracked make nothing stale', () => {
  const filter = new StaleEventFilter()
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 5000)), false)
  assert.equal(filter.isStale(event('SPACE_ROLE_UPDATE', 4990)), false)
  assert.equal(filter.isStale({ ...event('SPACE_ROLE_UPDATE', 4000), id: undefined }), false)
  assert.equal(filter.isStale(event('MESSAGE_CREATE', 4000)), false)
})

test('PROCESS-26: the pins of a room and of each of its threads are different things', () => {
  const filter = new StaleEventFilter()
  const [one, other] = [{ room_id: newId() }, { room_id: newId() }]
  assert.equal(filter.isStale(event('ROOM_PINS_UPDATE', 5000, one)), false)
  assert.equal(filter.isStale(event('ROOM_PINS_UPDATE', 4000, other)), false)
  assert.equal(filter.isStale(event('ROOM_PINS_UPDATE', 4000, one)), true)
})

test('PROCESS-26: nothing that happened in a thread is received after its end', () => {
  const filter = new StaleEventFilter()
  const topic = topicOf.thread(newId(), newId())
  const threadId = newId()
  const inThread = (name: string, id = threadId): Event => ({
    ...event(name, 4000, { id: newId(), room_id: id }),
    topic,
  })
  const end = { ...event('THREAD_DELETE', 5000, { id: threadId, room_id: topic.channelId }), topic }
  assert.equal(filter.isOfEndedThread(inThread('MESSAGE_CREATE')), false)
  assert.equal(filter.isStale(end), false)
  assert.equal(filter.isOfEndedThread(end), false)
  for (const name of ['MESSAGE_CREATE', 'TYPING_START'])
    assert.equal(filter.isOfEndedThread(inThread(name)), true, name)
  assert.equal(filter.isOfEndedThread(inThread('MESSAGE_DELETE_BULK')), false)
  assert.equal(filter.isOfEndedThread(inThread('MESSAGE_CREATE', newId())), false)
})
