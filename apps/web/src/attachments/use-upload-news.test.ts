import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileUpload, Progress } from './upload-state.ts'
import { newsOf } from './use-upload-news.ts'

test('what comes, arrives and fails is told by name', () => {
  const sending = sample('a', { kind: 'sending', sent_bytes: 0 })
  const stored = sample('a', { kind: 'stored', attachment_id: 'x' })
  const failed = sample('a', { kind: 'failed', error: 'It is too large.', lost: false })
  assert.equal(newsOf([], [sending, sample('b')]), 'a.txt attached. b.txt attached.')
  assert.equal(newsOf([sending], [stored]), 'a.txt uploaded.')
  assert.equal(newsOf([sending], [failed]), 'a.txt was not uploaded. It is too large.')
})

test('progress is not worth a word, nor is what a message takes with it', () => {
  const at = (sent_bytes: number) => sample('a', { kind: 'sending', sent_bytes })
  assert.equal(newsOf([at(1)], [at(2)]), null)
  assert.equal(newsOf([at(1), sample('b')], []), null)
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
