import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMember, sampleRole } from '#src/store/samples.ts'
import { memberGroups } from './member-groups.ts'

test('members stand under their highest hoisted role, those without one at the end', () => {
  const roles = [
    sampleRole('space', { hoisted: true }),
    sampleRole('low', { position: 1, hoisted: true }),
    sampleRole('quiet', { position: 2 }),
    sampleRole('high', { position: 3, hoisted: true }),
    sampleRole('nobody', { position: 4, hoisted: true }),
  ]
  const members = [
    sampleMember('a', { roles: ['low', 'high'] }),
    sampleMember('b', { roles: ['quiet', 'low'] }),
    sampleMember('c', { roles: ['quiet'] }),
    sampleMember('d'),
  ]
  const groups = memberGroups(members, roles).map(({ role, members }) => [
    role?.id ?? null,
    ...members.map(({ id }) => id),
  ])
  assert.deepEqual(groups, [
    ['high', 'a'],
    ['low', 'b'],
    [null, 'c', 'd'],
  ])
})
