import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { Client } from '@foyer/sdk/client'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { sampleThread } from '#src/store/samples.ts'
import { moveTo } from './move-to.ts'

const moved = { roomId: 'room', target: { title: ' Tents ' }, ids: ['x'] }
const refusal = new ApiError(400, 'not movable', new Headers())

test('TROOM-17: a new thread is removed if the server refuses to move the messages', async () => {
  const { threads, log } = serverThat(refusal)
  await assert.rejects(moveTo(threads, moved), refusal)
  assert.deepEqual(log, ['create Tents', 'move x', 'delete new'])
})

test('TROOM-17: a new thread stays if the answer is lost, because the messages may be in it', async () => {
  for (const lost of [new NetworkError('offline'), new ApiError(502, 'no answer', new Headers())]) {
    const { threads, log } = serverThat(lost)
    await assert.rejects(moveTo(threads, moved), lost)
    assert.deepEqual(log, ['create Tents', 'move x'])
  }
})

test('the reason of the refusal is shown, even if the new thread cannot be removed', async () => {
  const { threads } = serverThat(refusal)
  threads.delete = async () => Promise.reject(new NetworkError('offline'))
  await assert.rejects(moveTo(threads, moved), refusal)
})

/** A server that creates and deletes threads, but answers a move with an error. */
function serverThat(error: Error) {
  const threads = new Client({ baseUrl: 'http://localhost' }).api(ThreadRooms)
  const log: string[] = []
  threads.create = async (_roomId, { title }) => {
    log.push(`create ${title}`)
    return sampleThread('new', { title })
  }
  threads.move = async (_id, ids) => {
    log.push(`move ${ids.join(' ')}`)
    throw error
  }
  threads.delete = async (id) => {
    log.push(`delete ${id}`)
  }
  return { threads, log }
}
