import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ListedMember, MemberList } from './member-list.ts'

const ROLES = ['crew', 'guests', 'staff']
const USERS = Array.from({ length: 12 }, (_, index) => `user ${index}`)

const userId = fc.constantFrom(...USERS)
const member: fc.Arbitrary<ListedMember> = fc.record({
  userId,
  name: fc.constantFrom('ada', 'eve', 'kim'),
  roles: fc.uniqueArray(fc.constantFrom(...ROLES)),
  isOnline: fc.boolean(),
})
const change = fc.oneof(
  { weight: 5, arbitrary: member.map((set) => ({ set })) },
  userId.map((remove) => ({ remove })),
  fc.shuffledSubarray(ROLES).map((hoist) => ({ hoist })),
)

interface Model {
  hoisted: readonly string[]
  members: Map<string, ListedMember>
}

/** The list by its rule, built from scratch. */
function expectedOf({ hoisted, members }: Model, hidden: ReadonlySet<string>, showsOffline: boolean) {
  const groupOf = ({ userId: id, isOnline, roles }: ListedMember) => {
    if (!isOnline || hidden.has(id)) return 'offline'
    return hoisted.find((role) => roles.includes(role)) ?? 'online'
  }
  const shown = [...members.values()].filter(
    (one) => showsOffline || !(one.isOnline && hidden.has(one.userId)),
  )
  const groups = [...hoisted, 'online', 'offline'].map((id) => ({
    id,
    members: shown
      .filter((one) => groupOf(one) === id)
      .map((one) => `${one.name} ${one.userId}`)
      .sort(),
  }))
  return {
    groups: groups
      .filter((group) => group.members.length > 0)
      .map(({ id, members: { length } }) => ({ id, count: length })),
    order: groups.flatMap((group) => group.members.map((line) => line.slice(4))),
    online: groups.slice(0, -1).reduce((sum, group) => sum + group.members.length, 0),
  }
}

test('LIST-1: the list follows its rule for every subscriber, whatever changes', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 60 }),
      fc.subarray(USERS),
      fc.boolean(),
      (changes, hiding, showsOffline) => {
        const list = new MemberList([])
        const model: Model = { hoisted: [], members: new Map() }
        for (const one of changes) apply(one, list, model)
        const hidden = new Set(hiding)
        const expected = expectedOf(model, hidden, showsOffline)
        const seen = list.snapshotFor(hidden, showsOffline)
        assert.deepEqual(
          { groups: seen.groups, order: seen.range(0, USERS.length), online: seen.onlineCount },
          expected,
        )
        assert.deepEqual(seen.range(2, 4), expected.order.slice(2, 5))
        assert.deepEqual(list.snapshotFor().range(0, 99), expectedOf(model, new Set(), true).order)
      },
    ),
  )
})

function apply(
  one: { set: ListedMember } | { remove: string } | { hoist: string[] },
  list: MemberList,
  model: Model,
): void {
  if ('set' in one) {
    list.set(one.set)
    model.members.set(one.set.userId, one.set)
  } else if ('remove' in one) {
    list.remove(one.remove)
    model.members.delete(one.remove)
  } else {
    list.hoist(one.hoist)
    model.hoisted = one.hoist
  }
}
