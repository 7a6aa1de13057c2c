import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagColor } from './tag-color.ts'

test('FORUM-2: a tag’s colour has six digits, also if it begins with zeros', () => {
  assert.equal(tagColor(0xff), '#0000ff')
  assert.equal(tagColor(0), '#000000')
  assert.equal(tagColor(null), undefined)
})
