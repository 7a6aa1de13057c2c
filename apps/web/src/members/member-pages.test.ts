import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMember, sampleRole } from '#src/store/samples.ts'
import {
  type MemberPages,
  noPages,
  PAGE,
  ranked,
  withChanged,
  withFound,
  withoutMember,
  withPage,
} from './member-pages.ts'

const low = sampleRole('low', { position: 1 })
const high = sampleRole('high', { position: 2 })

const order = (pages: MemberPages, roles = [low, high]) => ranked(pages, roles).map(({ id }) => id)

test('each page continues after the last member, until a page is not full', () => {
  const full = Array.from({ length: PAGE }, (_, index) => sampleMember(`m${index}`, { position: 3 }))
  const first = withPage(noPages, full)
  assert.deepEqual(first.cursor, { after_id: `m${PAGE - 1}`, after_pos: 3 })
  const all = withPage(first, [sampleMember('z')])
  assert.deepEqual([all.cursor, all.listed, all.members.size], [null, PAGE + 1, PAGE + 1])
})

test('members found by name are sorted in, and do not move the cursor', () => {
  const first = withPage(noPages, [sampleMember('b'), sampleMember('c')])
  const found = withFound(first, [sampleMember('a', { roles: ['low'] }), sampleMember('c')])
  assert.deepEqual([order(found), found.cursor, found.listed], [['a', 'b', 'c'], null, 2])
})

test('members are sorted by role, also after roles move', () => {
  const listed = withPage(
    noPages,
    ['a', 'b', 'c'].map((id) => sampleMember(id)),
  )
  const given = withChanged(
    withChanged(listed, sampleMember('c', { roles: ['low'] })),
    sampleMember('b', { roles: ['high'] }),
  )
  assert.deepEqual(order(given), ['b', 'c', 'a'])
  assert.deepEqual(
    order(given, [
      { ...low, position: 2 },
      { ...high, position: 1 },
    ]),
    ['c', 'b', 'a'],
  )
  assert.equal(withChanged(given, sampleMember('z')), given, 'unlisted members come with their page')
  assert.deepEqual(order(withoutMember(given, 'b')), ['c', 'a'])
})
