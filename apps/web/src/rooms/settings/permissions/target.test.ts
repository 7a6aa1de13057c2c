import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PERMISSIONS, has, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleRole, sampleSpace } from '#src/store/samples.ts'
import { initialState, type SpaceEntry } from '#src/store/state.ts'
import { noFlags } from './overwrite-draft.ts'
import { everyone, explainInherited, listTargets, rightsAfter, roleNamesIn, type Target } from './target.ts'

const { ViewChannels, PinMessages } = Permission
const role = (id: string): Target => ({ id, type: OverwriteTarget.Role })
const member = (id: string): Target => ({ id, type: OverwriteTarget.Member })

test('targets are @everyone, then roles from the highest down, then members', () => {
  const space = entry([overwrite(member('kim')), overwrite(role('low')), overwrite(role('high'))])
  assert.deepEqual(idsOf(listTargets(space, 'room', null)), ['space', 'high', 'low', 'kim'])
  assert.deepEqual(idsOf(listTargets(space, 'other', null)), ['space'])
})

test('a target without an overwrite is listed in order, and only once', () => {
  const space = entry([overwrite(member('kim')), overwrite(role('low'))])
  assert.deepEqual(idsOf(listTargets(space, 'room', role('high'))), ['space', 'high', 'low', 'kim'])
  assert.deepEqual(idsOf(listTargets(space, 'room', member('lou'))), ['space', 'low', 'kim', 'lou'])
  assert.deepEqual(idsOf(listTargets(space, 'room', member('kim'))), ['space', 'low', 'kim'])
  assert.deepEqual(idsOf(listTargets(space, 'room', everyone(space))), ['space', 'low', 'kim'])
})

test('inherited permissions ignore the overwrite of the target itself', () => {
  const space = entry([
    overwrite(role('space'), { deny_flags: ViewChannels }),
    overwrite(role('high'), { allow_flags: ViewChannels }),
    overwrite(member('kim'), { deny_flags: ViewChannels }),
  ])
  const inherited = (target: Target, heldRoles?: string[]) => {
    const { allowed, reason } = explainInherited(space, 'room', { target, heldRoles })('ViewChannels')
    return [allowed, reason.kind]
  }
  assert.deepEqual(inherited(role('space')), [true, 'roles'])
  assert.deepEqual(inherited(role('high')), [false, 'everyone_overwrite'])
  assert.deepEqual(inherited(member('kim'), ['high']), [true, 'role_overwrites'])
  assert.deepEqual(inherited(member('kim')), [false, 'everyone_overwrite'])
  assert.deepEqual(inherited(member('owner')), [true, 'owner'])
})

test('rightsAfter returns the permissions of the user after a change', () => {
  const space = entry([])
  const hidden = { ...noFlags, deny_flags: ViewChannels }
  const after = (target: Target) => rightsAfter(space, 'room', { target, flags: hidden })
  assert.equal(has(after(everyone(space)), ViewChannels), false)
  assert.equal(has(after(role('high')), ViewChannels), true)
  assert.equal(has(after(member('me')), ViewChannels), false)
})

test('roles are named from the highest down, with @everyone by its own name', () => {
  assert.deepEqual(roleNamesIn(entry([]))(['space', 'low', 'high']), ['high', 'low', '@everyone'])
})

function entry(overwrites: SpaceEntry['overwrites']): SpaceEntry {
  const roles = [
    sampleRole('space', { name: 'all', permissions: DEFAULT_PERMISSIONS }),
    sampleRole('low', { position: 1 }),
    sampleRole('high', { position: 2, permissions: PinMessages }),
  ]
  const state = reduceEvent(initialState, 'SPACE_CREATE', sampleSpace('space', { roles, overwrites }), 0)
  const space = state.spaces.space
  assert.ok(space)
  return space
}

function overwrite(target: Target, flags: Partial<typeof noFlags> = {}) {
  return { room_id: 'room', target_id: target.id, target_type: target.type, ...noFlags, ...flags }
}

function idsOf(targets: readonly { id: string }[]): string[] {
  return targets.map(({ id }) => id)
}
