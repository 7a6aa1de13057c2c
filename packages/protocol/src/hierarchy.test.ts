import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { highestPosition, isBelow, outranks, type RankedSubject } from './hierarchy.ts'
import { ALL_PERMISSIONS } from './permissions.ts'

const RUNS = 2000
const SPACE = 'space'

/** Members `a` to `d`, and which of them owns the space: a world of few places, so that equals meet often. */
interface World {
  ownerId: string
  members: ReadonlyMap<string, readonly number[]>
}

const members = ['a', 'b', 'c', 'd']
const positions = fc.subarray([1, 2, 3, 4], { maxLength: 3 })

const world: fc.Arbitrary<World> = fc.record({
  ownerId: fc.constantFrom(...members),
  members: fc
    .tuple(positions, positions, positions, positions)
    .map((held) => new Map(held.map((ranks, index) => [members[index] ?? '', ranks]))),
})

function subjectIn({ ownerId, members }: World, userId: string): RankedSubject {
  const others = (members.get(userId) ?? []).map((position) => role(position))
  return { userId, ownerId, spaceId: SPACE, roles: [role(0), ...others] }
}

function role(position: number, permissions = 0) {
  return { id: position === 0 ? SPACE : `role-${position}`, permissions, position }
}

// The specification's sentence, read naively: no highest role is worked out, roles are looked at one by one.

/** "The target role [is] below the caller's highest role": the caller has a role that is above it. */
function modelOfBelow(world: World, userId: string, position: number): boolean {
  // "… unless the caller owns the space …"
  if (world.ownerId === userId) return true
  return (world.members.get(userId) ?? []).some((held) => held > position)
}

function modelOfOutranks(world: World, actor: string, target: string): boolean {
  if (actor === target || target === world.ownerId) return false
  const theirs = [0, ...(world.members.get(target) ?? [])]
  return theirs.every((position) => modelOfBelow(world, actor, position))
}

test('HIER-2, HIER-3: the hierarchy follows the specification, whatever the roles', () => {
  const property = fc.property(world, (given) => {
    for (const actor of members) {
      const subject = subjectIn(given, actor)
      for (const position of [0, 1, 2, 3, 4, 5])
        assert.equal(isBelow(subject, position), modelOfBelow(given, actor, position))
      for (const target of members)
        assert.equal(outranks(subject, subjectIn(given, target)), modelOfOutranks(given, actor, target))
    }
  })
  fc.assert(property, { numRuns: RUNS })
})

test('HIER-3: at most one of two members is below the other', () => {
  const property = fc.property(world, (given) => {
    for (const one of members)
      for (const other of members) {
        const [here, there] = [subjectIn(given, one), subjectIn(given, other)]
        assert.ok(!(outranks(here, there) && outranks(there, here)))
      }
  })
  fc.assert(property, { numRuns: RUNS })
})

const owner: RankedSubject = { userId: 'owner', ownerId: 'owner', spaceId: SPACE, roles: [role(0)] }
const plain: RankedSubject = { ...owner, userId: 'plain' }
const second: RankedSubject = { ...owner, userId: 'second', roles: [role(0), role(2), role(1)] }
const administrator: RankedSubject = { ...owner, userId: 'admin', roles: [role(0), role(1, ALL_PERMISSIONS)] }

test('HIER-1: a member’s rank is the position of their highest role', () => {
  assert.equal(highestPosition(plain), 0)
  assert.equal(highestPosition(second), 2)
  assert.equal(highestPosition({ roles: second.roles.toReversed() }), 2)
  assert.equal(highestPosition({ roles: [] }), 0)
})

test('HIER-2: an equal role is not below, nor is @everyone below a member without other roles', () => {
  const below = (subject: RankedSubject) => [0, 1, 2, 3].filter((position) => isBelow(subject, position))
  assert.deepEqual(below(second), [0, 1])
  assert.deepEqual(below(plain), [])
  assert.deepEqual(below(owner), [0, 1, 2, 3])
})

test('HIER-2: the permissions of a role do not raise it', () => {
  assert.equal(isBelow(administrator, 1), false)
  assert.equal(outranks(administrator, second), false)
  assert.equal(outranks(second, administrator), true)
})

test('HIER-3: nobody is below themselves, and the owner below nobody', () => {
  assert.equal(outranks(second, plain), true)
  assert.equal(outranks(second, { ...second, userId: 'twin' }), false)
  assert.equal(outranks(second, second), false)
  assert.equal(outranks(second, owner), false)
  assert.equal(outranks(owner, second), true)
  assert.equal(outranks(owner, owner), false)
})
