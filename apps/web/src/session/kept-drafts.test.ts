import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDraft } from '#src/store/draft.ts'
import { bounded, read } from './kept-drafts.ts'

const reply = { id: 'm', author_id: 'u', name: 'Mira', words: 'Tea?', mentions: false }
const draft = { content: 'yes', named: { '@Mira': '<@1>' }, reply }

function storage(kept: unknown) {
  return { getItem: () => (typeof kept === 'string' ? kept : JSON.stringify(kept)) }
}

test('what was kept is there again for who wrote it, and for nobody else', () => {
  const kept = storage({ user_id: 'me', drafts: { room: draft } })
  assert.deepEqual(read(kept, 'me'), { room: draft })
  assert.deepEqual(read(kept, 'other'), {})
})

test('what another version or another page left there does no harm', () => {
  for (const odd of ['{', 'null', [], { user_id: 'me' }, { user_id: 'me', drafts: { room: 1 } }])
    assert.deepEqual(read(storage(odd), 'me'), {})
  const older = storage({
    user_id: 'me',
    drafts: { room: { content: 'hi', named: { a: 1 }, reply: { id: 2 } } },
  })
  assert.deepEqual(read(older, 'me'), { room: { ...emptyDraft, content: 'hi' } })
})

test('only what was begun is kept, the last ones, and no more than there is room for', () => {
  const text = (content: string) => ({ ...emptyDraft, content })
  assert.deepEqual(bounded({ a: emptyDraft, b: text('x') }), { b: text('x') })
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`r${index}`, text('x')]))
  assert.deepEqual([Object.keys(bounded(many)).length, Object.keys(bounded(many))[0]], [40, 'r20'])
  const long = text('x'.repeat(300_000))
  assert.deepEqual(Object.keys(bounded({ a: long, b: text('x'), c: long })), ['b', 'c'])
})
