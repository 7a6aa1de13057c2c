import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attachment } from '@foyer/protocol/attachments'
import { groupFiles, shownAttachment, shownUpload } from './shown-file.ts'
import { keptUpload } from './transfer/upload-state.ts'

test('files are grouped by how they are shown, and deleted ones are cards', () => {
  const types = ['text/plain', 'image/png', 'video/mp4', 'image/gif', 'audio/ogg', 'image/svg+xml']
  const files = types.map((content_type) =>
    shownAttachment(sample({ id: content_type, content_type }), undefined),
  )
  const gone = shownAttachment(
    sample({ id: 'gone', content_type: 'image/png', deleted_at: '2026-01-02T00:00:00.000Z' }),
    undefined,
  )
  const groups = groupFiles([gone, ...files])
  const ids = (group: readonly { id: string }[]) => group.map(({ id }) => id)
  assert.deepEqual(ids(groups.images), ['image/png', 'image/gif'])
  assert.deepEqual(ids(groups.videos), ['video/mp4'])
  assert.deepEqual(ids(groups.sounds), ['audio/ogg'])
  assert.deepEqual(ids(groups.cards), ['gone', 'text/plain', 'image/svg+xml'])
})

test('a stored picture without a local preview is a card until its message is sent', () => {
  const file = { attachment_id: 'a', filename: 'a.png', content_type: 'image/png', size_bytes: 1 }
  const kept = keptUpload('upload', 'room', file)
  const groups = groupFiles([shownUpload(kept), shownUpload({ ...kept, id: 'here', preview: 'blob:here' })])
  assert.deepEqual(
    [groups.cards, groups.images].map((group) => group.map(({ id }) => id)),
    [['upload'], ['here']],
  )
})

function sample(change: Partial<Attachment>): Attachment {
  return {
    id: 'a',
    message_id: 'message',
    filename: 'a',
    content_type: 'text/plain',
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
