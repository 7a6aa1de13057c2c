import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftsOf, setTags, withMoved } from './tag-draft.ts'

const tags = [
  { id: 'a', name: 'Routes', color: 0x00_80_ff, is_moderated: false },
  { id: 'b', name: 'News', color: null, is_moderated: true },
]

test('FORUM-2: tags stay as they are through the editor', () => {
  assert.deepEqual(setTags(draftsOf(tags)), tags)
})

test('FORUM-2: a new tag has no id, and spaces around its name are left out', () => {
  const drafts = [{ key: 'new', id: null, name: ' Huts ', color: '#0a0b0c', isModerated: false }]
  assert.deepEqual(setTags(drafts), [{ name: 'Huts', color: 0x0a_0b_0c, is_moderated: false }])
})

test('FORUM-2: tags move within the list only', () => {
  const drafts = draftsOf(tags)
  assert.deepEqual(
    withMoved(drafts, 1, -1).map(({ key }) => key),
    ['b', 'a'],
  )
  assert.equal(withMoved(drafts, 0, -1), drafts)
  assert.equal(withMoved(drafts, 1, 1), drafts)
})
