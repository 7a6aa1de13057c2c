import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attachment } from '@foyer/protocol/attachments'
import { sampleMessage, sampleRoom } from '#src/store/samples.ts'
import { toQuery } from '../search-filters.ts'
import { askedFor, filesIn, inSight, isInRoom, isShared, monthsOf } from './shared-files.ts'

test('WEB-22: a list is a search by kinds alone, in one room or in all that the user may view', () => {
  assert.deepEqual(toQuery(askedFor('media', 'r1')), { has: ['image', 'video'], room_id: ['r1'] })
  assert.deepEqual(toQuery(askedFor('files', null)), { has: ['file'] })
  assert.deepEqual(toQuery(askedFor('links', null)), { has: ['link'] })
})

test('WEB-22: files are media or others, also of forwarded messages, and deleted ones are neither', () => {
  const attachments = [
    sample('image/png'),
    sample('application/pdf'),
    sample('video/mp4'),
    sample('image/svg+xml'),
    sample('image/gif', { deleted_at: '2026-01-02T00:00:00.000Z' }),
  ]
  const message = sampleMessage(2, { attachments })
  const { created_at, edited_at, flags, content, stickers, embeds } = message
  const snapshot = { created_at, edited_at, flags, content, stickers, embeds, attachments }
  const forward = sampleMessage(3, { attachments: [], snapshot })
  const namesOf = (kind: 'media' | 'files') =>
    filesIn([forward, message], kind).map(({ file, message: { seq } }) => `${seq} ${file.filename}`)
  assert.deepEqual(namesOf('media'), ['3 image/png', '3 video/mp4', '2 image/png', '2 video/mp4'])
  assert.deepEqual(namesOf('files'), [
    '3 application/pdf',
    '3 image/svg+xml',
    '2 application/pdf',
    '2 image/svg+xml',
  ])
  const keys = filesIn([forward, message], 'media').map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)
})

test('WEB-22: a room has the files of its threads, a thread only its own, while the room is visible', () => {
  const inThread = sampleMessage(4, { room_id: 'thread', parent_room_id: 'room' })
  const lost = sampleMessage(5, { room_id: 'thread', parent_room_id: 'lost' })
  const inRoom = sampleMessage(6, { room_id: 'room' })
  const sight = { blocks: {}, rooms: { room: sampleRoom('room') }, conversations: {} }
  assert.deepEqual(inSight(sight, [inRoom, lost, inThread]), [inRoom, inThread])
  const placesOf = (id: string) => [inThread, lost, inRoom].map((message) => isInRoom(message, id))
  assert.deepEqual(placesOf('room'), [true, false, true])
  assert.deepEqual(placesOf('thread'), [true, true, false])
})

test('WEB-22: a new message belongs into the lists of what it has', () => {
  const kindsOf = (change: Parameters<typeof sampleMessage>[1]) =>
    (['media', 'files', 'links'] as const).filter((kind) => isShared(sampleMessage(1, change), kind))
  assert.deepEqual(kindsOf({ content: 'Hello' }), [])
  assert.deepEqual(kindsOf({ content: 'See https://example.org' }), ['links'])
  assert.deepEqual(kindsOf({ attachments: [sample('image/png'), sample('text/plain')] }), ['media', 'files'])
})

test('files are grouped by the month of their messages', () => {
  const times = ['2026-11-30T12:00:00.000Z', '2026-11-02T12:00:00.000Z', '2025-11-02T12:00:00.000Z']
  const shared = times.flatMap((created_at, index) =>
    filesIn([sampleMessage(9 - index, { created_at, attachments: [sample('image/png')] })], 'media'),
  )
  assert.deepEqual(
    monthsOf(shared).map(({ key, time, files }) => [key, time, files.length]),
    [
      ['2026-10', times[0], 2],
      ['2025-10', times[2], 1],
    ],
  )
  assert.deepEqual(monthsOf([]), [])
})

function sample(content_type: string, change: Partial<Attachment> = {}): Attachment {
  return {
    id: content_type,
    message_id: 'message',
    filename: content_type,
    content_type,
    description: null,
    size_bytes: 1,
    width: null,
    height: null,
    created_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
    url: '/attachments/a?sig=s&exp=1',
    ...change,
  }
}
