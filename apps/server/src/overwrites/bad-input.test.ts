import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALL_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { callAsNobody, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal, noCapabilities } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let outsider: Person
let space: TestSpace
let role: Role
/** Role of another space of the same owner, which has the outsider as a member. */
let foreign: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
  outsider = await createPerson(server, 'outsider')
  space = await makeSpace(owner, [mod, guest])
  role = await giveRole(owner, space.id, [mod], { permissions: Permission.ManageChannels })
  const elsewhere = await makeSpace(owner, [outsider])
  foreign = await giveRole(owner, elsewhere.id, [outsider])
})
after(() => server.close())

const path = () => `/api/spaces/${space.id}/rooms/${space.general}/overwrites`
const state = async () => [
  await listJournal(server, topicOf.room(space.id, space.general)),
  await listJournal(server, topicOf.access(space.id)),
  await owner.client.overwrites.list(space.id, space.general),
]

async function refusal(body: unknown): Promise<string> {
  const answer = await owner.call('PUT', path(), body)
  assert.equal(answer.status, 400, JSON.stringify(body))
  assert.equal(answer.code, 'invalid_request', JSON.stringify(body))
  return errorOf(answer.body)
}

test('OVERWRITE-5: an invalid body is refused with its field’s name, and changes nothing', async () => {
  const before = await state()
  const good = { target_id: role.id, target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: 0 }
  const bad: [string, readonly unknown[]][] = [
    ['target_id', [undefined, null, '', 'everyone', '@everyone', 7, [role.id]]],
    ['target_type', [undefined, null, 2, -1, 3, 0.5, '0', true, 2 ** 53]],
    ['allow_flags', [undefined, null, '2', 0.5, [2], true]],
    ['deny_flags', [undefined, null, '2', 0.5, {}, false]],
  ]
  for (const [field, values] of bad)
    for (const value of values)
      assert.match(await refusal({ ...good, [field]: value }), new RegExp(`^${field} `))
  for (const body of ['null', '[]', '0']) assert.match(await refusal(body), /^the request body /)
  for (const body of ['', '{']) assert.equal((await owner.call('PUT', path(), body)).code, 'invalid_json')
  assert.deepEqual(await state(), before)
})

test('OVERWRITE-5: flags outside of the table are refused in the words of the specification, before permissions are checked', async () => {
  const before = await state()
  const expected = {
    status: 400,
    code: 'unknown_flags',
    body: { error: 'permissions contain unknown flags' },
  }
  const targets = [
    { target_id: role.id, target_type: OverwriteTarget.Role },
    { target_id: newId(), target_type: OverwriteTarget.Member },
  ]
  const unknown = [ALL_PERMISSIONS + 1, -1, 2 ** 31, 2 ** 32 + 2, 2 ** 53, 2 ** 63, -(2 ** 31), 1e300]
  const cases = targets.flatMap((target) =>
    unknown.flatMap((flags) => [
      { ...target, allow_flags: flags, deny_flags: 0 },
      { ...target, allow_flags: 0, deny_flags: flags },
    ]),
  )
  for (const body of cases) {
    assert.deepEqual(await owner.call('PUT', path(), body), expected, JSON.stringify(body))
    assert.deepEqual(await mod.call('PUT', path(), body), expected)
  }
  assert.deepEqual(await state(), before)
})

test('OVERWRITE-4: a target that is not a role or member here is 404 by its type, before flags are checked', async () => {
  const before = await state()
  const [asRole, asMember] = [OverwriteTarget.Role, OverwriteTarget.Member]
  const cases: [string, number, string][] = [
    [foreign.id, asRole, 'unknown_role'],
    [foreign.space_id, asRole, 'unknown_role'],
    [guest.id, asRole, 'unknown_role'],
    [newId(), asRole, 'unknown_role'],
    [outsider.id, asMember, 'unknown_member'],
    [role.id, asMember, 'unknown_member'],
    [space.id, asMember, 'unknown_member'],
    [newId(), asMember, 'unknown_member'],
  ]
  for (const [target_id, target_type, code] of cases)
    for (const person of [owner, mod]) {
      const body = { target_id, target_type, allow_flags: ALL_PERMISSIONS, deny_flags: 0 }
      const answer = await person.call('PUT', path(), body)
      assert.deepEqual([answer.status, answer.code], [404, code])
    }
  assert.deepEqual(await state(), before)
})

test('OVERWRITE-5: unknown fields are ignored, including a room in the body', async () => {
  const body = { target_id: guest.id, target_type: OverwriteTarget.Member, allow_flags: 0, deny_flags: 0 }
  const extra = { room_id: space.lounge, space_id: foreign.space_id, id: newId() }
  const answer = await owner.call('PUT', path(), { ...body, ...extra })
  assert.deepEqual(answer.body, { ...body, ...noCapabilities, room_id: space.general })
  assert.deepEqual(await owner.client.overwrites.list(space.id, space.lounge), [])
  const [told] = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(told?.data, { ...body, ...noCapabilities, space_id: space.id, room_id: space.general })
  await owner.client.overwrites.delete(space.id, space.general, guest.id)
})

test('OVERWRITE-1: a request without an account reveals nothing, and malformed ids are refused by name', async () => {
  const target = `${path()}/${role.id}`
  assert.equal((await callAsNobody(server, 'GET', path())).status, 401)
  assert.equal((await callAsNobody(server, 'PUT', path())).status, 401)
  assert.equal((await callAsNobody(server, 'DELETE', target)).status, 401)
  const calls: [string, string, string][] = [
    ['DELETE', `${path()}/@everyone`, 'targetId'],
    ['DELETE', `${target}0`, 'targetId'],
    ['PUT', `/api/spaces/${space.id}/rooms/general/overwrites`, 'roomId'],
    ['GET', `/api/spaces/x/rooms/${space.general}/overwrites`, 'spaceId'],
  ]
  for (const [method, where, field] of calls) {
    const { status, body } = await owner.call(method, where)
    assert.deepEqual([status, body], [400, { error: `${field} must be a valid uuid` }], where)
  }
})

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
}
