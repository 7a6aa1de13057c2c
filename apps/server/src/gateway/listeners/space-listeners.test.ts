import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import fc from 'fast-check'
import { makeSnapshot, rightsIn, type SpaceSnapshot, visibleRooms } from '#src/spaces/snapshots.ts'
import { type Recipients, type Shift, SpaceListeners } from './space-listeners.ts'

const { ViewChannels, ManageInvites, Administrator } = Permission
const SPACE = 'space'
const at = '2026-11-21T10:20:30.000Z'
const times = { created_at: at, updated_at: at }
const USERS = ['ada', 'eve', 'kim', 'lou']
const ROLES = ['red', 'green', 'blue']
const ROOMS = ['hall', 'den', 'attic']

/** The rules of who receives what, in their plainest form. */
interface Plan {
  owner: string
  permissions: readonly number[]
  rooms: readonly string[]
  overwrites: readonly (readonly [room: string, target: string, allow: number, deny: number])[]
}

const bits = fc.constantFrom(0, ViewChannels, ManageInvites, Administrator)
const plan: fc.Arbitrary<Plan> = fc.record({
  owner: fc.constantFrom(...USERS),
  permissions: fc.array(bits, { minLength: ROLES.length + 1, maxLength: ROLES.length + 1 }),
  rooms: fc.subarray(ROOMS),
  overwrites: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...ROOMS), fc.constantFrom(SPACE, ...ROLES, ...USERS), bits, bits),
    { selector: ([room, target]) => `${room} ${target}`, maxLength: 8 },
  ),
})

function snapshotOf({ owner, permissions, rooms, overwrites }: Plan): SpaceSnapshot {
  const texts = {
    description: null,
    icon: null,
    banner: null,
    locale: null,
    system_room_id: null,
    audit_log_days: 90,
    retention_days: null,
    door_closed_at: null,
    frozen_at: null,
    needs_second_factor: false,
  }
  const space = { id: SPACE, name: 'Tea', owner_id: owner, ...texts, ...times }
  return makeSnapshot(space, {
    imageCount: 0,
    rooms: rooms.map(roomOf),
    roles: [SPACE, ...ROLES].map((id, position) => roleOf(id, position, permissions[position] ?? 0)),
    overwrites: overwrites.filter(([room]) => rooms.includes(room)).map(overwriteOf),
  })
}

function roomOf(id: string): Room {
  const empty = {
    parent_id: null,
    description: null,
    slow_mode_seconds: 0,
    retention_days: null,
    last_message_id: null,
    last_seq: 0,
  }
  return { space_id: SPACE, id, name: id, type: RoomType.Text, position: 0, ...empty, ...times }
}

function roleOf(id: string, position: number, permissions: number): Role {
  const colors = { color_from: null, color_via: null, color_to: null }
  return {
    space_id: SPACE,
    id,
    name: id,
    permissions,
    capabilities: 0,
    position,
    hoisted: false,
    ...colors,
    ...times,
  }
}

function overwriteOf([
  room_id,
  target_id,
  allow_flags,
  deny_flags,
]: Plan['overwrites'][number]): RoomOverwrite {
  const target_type = USERS.includes(target_id) ? OverwriteTarget.Member : OverwriteTarget.Role
  const capabilities = { allow_capabilities: 0, deny_capabilities: 0 }
  return { room_id, target_id, target_type, allow_flags, deny_flags, ...capabilities }
}

interface Listener {
  readonly user: string
  roles: string[]
  /** The rooms known to a client that only receives events. */
  readonly rooms: Set<string>
}

interface Scene {
  readonly listeners: SpaceListeners<Listener>
  readonly present: Set<Listener>
}

const roles = fc.subarray(ROLES)
const user = fc.constantFrom(...USERS)
const step = fc.oneof(
  fc.tuple(user, roles).map(
    ([userId, given]) =>
      (scene: Scene) =>
        enter(scene, userId, given),
  ),
  fc.nat().map((number) => (scene: Scene) => leave(scene, number)),
  fc.tuple(user, roles).map(
    ([userId, given]) =>
      (scene: Scene) =>
        changeRoles(scene, userId, given),
  ),
  plan.map((next) => (scene: Scene) => change(scene, next)),
)

function enter({ listeners, present }: Scene, userId: string, given: string[]): void {
  const own = [...present].find((listener) => listener.user === userId)?.roles ?? given
  const member = { user_id: userId, roles: own }
  const rooms = visibleRooms(listeners.snapshot, member).map(({ id }) => id)
  const listener = { user: userId, roles: own, rooms: new Set(rooms) }
  present.add(listener)
  listeners.add(listener, member)
}

function leave({ listeners, present }: Scene, number: number): void {
  const gone = [...present][number % Math.max(1, present.size)]
  if (gone === undefined) return
  present.delete(gone)
  listeners.remove(gone)
}

function changeRoles({ listeners, present }: Scene, userId: string, given: string[]): void {
  const own = [...present].filter((listener) => listener.user === userId)
  for (const listener of own) listener.roles = given
  tell(listeners.move(own, { user_id: userId, roles: given }))
}

/** Rooms come and go with events of their own, before and after the rest of the change. */
function change({ listeners, present }: Scene, plan: Plan): void {
  const next = snapshotOf(plan)
  const ofUser = (userId: string) => [...present].filter((listener) => listener.user === userId)
  listeners.setApart(next, ofUser)
  tell(listeners.shifts(next))
  const known = new Set(listeners.snapshot.rooms.keys())
  listeners.adopt(next)
  for (const roomId of next.rooms.keys()) {
    if (known.has(roomId)) continue
    assert.deepEqual(heardBy(listeners.ofRoom(roomId)), [], 'a room that was not told yet')
    listeners.addRoom(roomId)
    for (const listener of heardBy(listeners.ofRoom(roomId))) listener.rooms.add(roomId)
  }
}

function tell(shifts: Iterable<Shift<Listener>>): void {
  for (const { connections, lost, gained } of shifts)
    for (const { rooms } of connections) {
      assert.ok(
        lost.every((roomId) => rooms.delete(roomId)),
        'what is lost was known',
      )
      assert.ok(
        gained.every((roomId) => !rooms.has(roomId) && rooms.add(roomId)),
        'what is gained is new',
      )
    }
}

function heardBy(recipients: Recipients<Listener>): Listener[] {
  return [...recipients].flatMap((set) => [...set])
}

function check({ listeners, present }: Scene): void {
  const { snapshot } = listeners
  assert.deepEqual(new Set(heardBy(listeners.everyone)), present)
  const views = (listener: Listener) =>
    visibleRooms(snapshot, { user_id: listener.user, roles: listener.roles }).map(({ id }) => id)
  for (const listener of present) assert.deepEqual([...listener.rooms].sort(), views(listener).sort())
  for (const roomId of ROOMS) {
    const recipients = listeners.ofRoom(roomId)
    const expected = [...present].filter((listener) => views(listener).includes(roomId))
    assert.equal(heardBy(recipients).length, expected.length, 'nobody hears a room twice')
    assert.ok(
      [...recipients].every(({ size }) => size > 0),
      'nothing is kept of who is gone',
    )
    assert.deepEqual(new Set(heardBy(recipients)), new Set(expected))
    for (const listener of present)
      assert.equal(listeners.isIn(recipients, listener), expected.includes(listener))
  }
  const may = ({ user: user_id, roles: own }: Listener) =>
    (rightsIn(snapshot, { user_id, roles: own }).permissions & ManageInvites) === ManageInvites
  assert.deepEqual(new Set(heardBy(listeners.permitted(ManageInvites))), new Set([...present].filter(may)))
}

test('GATEWAY-16: each listener has the rooms that they may view, and is notified when that changes', () => {
  const history = fc.tuple(plan, fc.array(step, { maxLength: 30, size: 'max' }))
  fc.assert(
    fc.property(history, ([first, steps]) => {
      const scene = {
        listeners: new SpaceListeners<Listener>(snapshotOf(first), (_, member) => member),
        present: new Set<Listener>(),
      }
      for (const run of steps) {
        run(scene)
        check(scene)
      }
    }),
    { numRuns: 1000 },
  )
})

test('GATEWAY-16: a member without overwrites any more costs no more than others with the same roles', () => {
  const plain: Plan = { owner: 'lou', permissions: [ViewChannels, 0, 0, 0], rooms: ROOMS, overwrites: [] }
  const listeners = new SpaceListeners<Listener>(snapshotOf(plain), (_, member) => member)
  const scene = { listeners, present: new Set<Listener>() }
  for (const userId of ['ada', 'eve', 'kim']) enter(scene, userId, [])
  const hidden = ['ada', 'eve', 'kim'].map((userId) => ['den', userId, 0, ViewChannels] as const)
  const blind = snapshotOf({ ...plain, permissions: [0, 0, 0, 0] })
  const countKinds = () => [...listeners.shifts(blind)].length
  assert.equal(countKinds(), 1)
  change(scene, { ...plain, overwrites: hidden })
  assert.equal(countKinds(), 3)
  change(scene, plain)
  assert.equal(countKinds(), 1)
})
