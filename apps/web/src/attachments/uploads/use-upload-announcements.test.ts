import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileUpload, Progress } from '../transfer/upload-state.ts'
import { announcementOf } from './use-upload-announcements.ts'

test('added, uploaded and failed files are announced by name', () => {
  const sending = sample('a', { kind: 'sending', sent_bytes: 0 })
  const stored = sample('a', { kind: 'stored', attachment_id: 'x' })
  const failed = sample('a', { kind: 'failed', error: 'It is too large.', lost: false })
  assert.equal(announcementOf([], [sending, sample('b')]), 'a.txt attached. b.txt attached.')
  assert.equal(announcementOf([sending], [stored]), 'a.txt uploaded.')
  assert.equal(announcementOf([sending], [failed]), 'Couldn’t upload a.txt. It is too large.')
})

test('progress and files sent with their message are not announced', () => {
  const at = (sent_bytes: number) => sample('a', { kind: 'sending', sent_bytes })
  assert.equal(announcementOf([at(1)], [at(2)]), null)
  assert.equal(announcementOf([at(1), sample('b')], []), null)
})

function sample(id: string, progress: Progress = { kind: 'queued' }): FileUpload {
  return {
    id,
    channel: 'room',
    filename: `${id}.txt`,
    content_type: 'text/plain',
    size_bytes: 4,
    description: null,
    width: null,
    height: null,
    preview: null,
    progress,
  }
}
