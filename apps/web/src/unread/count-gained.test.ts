import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMessage, sampleReady, sampleRoom } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { countGained } from './count-gained.ts'

const read = { room_id: 'gained', conversation_id: null, last_read_seq: 2, unread_count: 5, mention_count: 1 }

function gained() {
  const store = createAppStore((show) => show())
  store.receive('READY', sampleReady())
  store.receive('ROOM_CREATE', sampleRoom('gained', { last_seq: 7 }))
  return store
}

test('a room that became visible gets the counts of the server', async () => {
  const store = gained()
  await countGained({ client: { messages: { readState: async () => read } }, store }, 'gained')
  const { unread_count, mention_count } = store.get().readStates.gained ?? {}
  assert.deepEqual({ unread_count, mention_count }, { unread_count: 5, mention_count: 1 })
})

test('a message before the answer is counted once', async () => {
  const store = gained()
  const answers = [read, { ...read, unread_count: 6 }]
  const readState = async () => {
    const [answer = read] = answers.splice(0, 1)
    if (answers.length === 1) store.receive('MESSAGE_CREATE', sampleMessage(8, { room_id: 'gained' }))
    return answer
  }
  await countGained({ client: { messages: { readState } }, store }, 'gained')
  assert.equal(store.get().readStates.gained?.unread_count, 6)
})

test('a room deleted before the answer leaves no counts', async () => {
  const store = gained()
  const readState = async () => {
    store.receive('ROOM_DELETE', { space_id: 'space', room_id: 'gained' })
    return read
  }
  await countGained({ client: { messages: { readState } }, store }, 'gained')
  assert.equal(store.get().readStates.gained?.unread_count ?? 0, 0)
})
