import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { callAsNobody, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let outsider: Person
let spaceId: string
let role: Role
/** Role of another space of the same owner. */
let foreign: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
  outsider = await createPerson(server, 'outsider')
  spaceId = (await makeSpace(owner, [mod, guest])).id
  role = await giveRole(owner, spaceId, [], { name: 'role' })
  await giveRole(owner, spaceId, [mod], { permissions: Permission.ManageRoles })
  foreign = await giveRole(owner, (await makeSpace(owner)).id, [])
})
after(() => server.close())

const roles = () => `/api/spaces/${spaceId}/roles`
const published = () => listJournal(server, topicOf.space(spaceId))

const badFields: [object, RegExp][] = [
  [{ name: '' }, /^name /],
  [{ name: ' \n ' }, /^name /],
  [{ name: 'x'.repeat(101) }, /^name /],
  [{ name: null }, /^name /],
  [{ name: 7 }, /^name /],
  [{ permissions: null }, /^permissions /],
  [{ permissions: '8' }, /^permissions /],
  [{ permissions: 1.5 }, /^permissions /],
  [{ permissions: [1] }, /^permissions /],
  [{ color_from: 2147483648 }, /^color_from /],
  [{ color_via: -2147483649 }, /^color_via /],
  [{ color_to: 0.5 }, /^color_to /],
  [{ color_to: '#ffffff' }, /^color_to /],
  [{ hoisted: null }, /^hoisted /],
  [{ hoisted: 1 }, /^hoisted /],
  [{ hoisted: 'true' }, /^hoisted /],
]

const badUpdates: [object, RegExp][] = [
  [{ position: null }, /^position /],
  [{ position: -1 }, /^position /],
  [{ position: 1.5 }, /^position /],
  [{ position: '1' }, /^position /],
  [{ position: 2147483648 }, /^position /],
  [{ position: 2 ** 60 }, /^position /],
  [{ position: 0 }, /^position /],
  [{ clear_colors: null }, /^clear_colors /],
  [{ clear_colors: 'true' }, /^clear_colors /],
]

async function refusal(method: string, path: string, body: unknown) {
  const answer = await owner.call(method, path, body)
  assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], JSON.stringify(body))
  return errorOf(answer.body)
}

test('ROLE-5: an invalid body is refused with its field’s name, and changes nothing', async () => {
  const before = [await published(), await owner.client.roles.list(spaceId)]
  for (const [fields, message] of badFields) {
    assert.match(await refusal('POST', roles(), { name: 'x', ...fields }), message)
    assert.match(await refusal('PATCH', `${roles()}/${role.id}`, fields), message)
  }
  for (const [fields, message] of badUpdates)
    assert.match(await refusal('PATCH', `${roles()}/${role.id}`, { name: 'changed', ...fields }), message)
  assert.match(await refusal('POST', roles(), { permissions: 0 }), /^name /)
  for (const body of ['null', '[]', '7']) {
    assert.match(await refusal('POST', roles(), body), /^the request body /)
    assert.match(await refusal('PATCH', `${roles()}/${role.id}`, body), /^the request body /)
  }
  for (const body of ['', '{', '{"permissions": 1e999}']) {
    assert.equal((await owner.call('POST', roles(), body)).status, 400)
    assert.equal((await owner.call('PATCH', `${roles()}/${role.id}`, body)).status, 400)
  }
  assert.deepEqual([await published(), await owner.client.roles.list(spaceId)], before)
})

test('ROLE-5: flags outside of the table are refused in the words of the specification, before permissions are checked', async () => {
  const before = [await published(), await owner.client.roles.list(spaceId)]
  const unknown = [ALL_PERMISSIONS + 1, -1, -(2 ** 31), 2 ** 31, 2 ** 32 + 2, 2 ** 53, 2 ** 63, 1e300]
  for (const person of [owner, mod])
    for (const permissions of unknown) {
      const made = await person.call('POST', roles(), { name: 'x', permissions })
      const changed = await person.call('PATCH', `${roles()}/${role.id}`, { permissions })
      const expected = {
        status: 400,
        code: 'unknown_flags',
        body: { error: 'permissions contain unknown flags' },
      }
      assert.deepEqual([made, changed], [expected, expected], `${permissions}`)
    }
  assert.deepEqual([await published(), await owner.client.roles.list(spaceId)], before)
})

test('ROLE-5: a name has up to 100 characters, and unknown fields are ignored', async () => {
  const name = '🫖'.repeat(100)
  const body = { name, id: newId(), space_id: foreign.space_id, position: 7, members: [guest.id] }
  const made = await owner.call('POST', roles(), body)
  assert.partialDeepStrictEqual(made, { status: 200, body: { name, space_id: spaceId, position: 1 } })
  const answer = await owner.call('PATCH', `${roles()}/${role.id}`, {
    id: newId(),
    space_id: newId(),
    hoisted: true,
  })
  assert.partialDeepStrictEqual(answer.body, { id: role.id, space_id: spaceId, hoisted: true })
})

test('ROLE-2: every id is 403 without ManageRoles, a role of another space 404 with it, and no body is read', async () => {
  const before = await published()
  const calls = (ids: string[]) =>
    ids.flatMap((id) => ['PATCH', 'PUT', 'DELETE'].map((method) => [method, `${roles()}/${id}`] as const))
  const answer = async (person: Person, method: string, path: string) => {
    const { status, code } = await person.call(method, path, 'not even JSON')
    return [status, code]
  }
  for (const [method, path] of calls([role.id, foreign.id, spaceId, newId()])) {
    assert.deepEqual(await answer(outsider, method, path), [403, 'not_a_member'])
    assert.deepEqual(await answer(guest, method, path), [403, 'missing_permission'])
    assert.equal((await callAsNobody(server, method, path)).status, 401)
  }
  for (const [method, path] of calls([foreign.id, foreign.space_id, guest.id, newId()])) {
    assert.deepEqual(await answer(owner, method, path), [404, 'unknown_role'])
    assert.deepEqual(await answer(mod, method, path), [404, 'unknown_role'])
  }
  assert.deepEqual(await published(), before)
  assert.equal((await owner.client.roles.list(foreign.space_id)).length, 2)
})

test('ROLE-2: a malformed id is refused by name', async () => {
  const member = `/api/spaces/${spaceId}/members`
  const calls: [string, string, string][] = [
    ['PATCH', `${roles()}/${role.id}0`, 'roleId'],
    ['DELETE', `${roles()}/@everyone`, 'roleId'],
    ['PUT', `${member}/@me/roles/${role.id}`, 'memberId'],
    ['DELETE', `${member}/${guest.id}/roles/1`, 'roleId'],
    ['POST', `/api/spaces/1/roles`, 'spaceId'],
  ]
  for (const [method, path, field] of calls) {
    const { status, body } = await owner.call(method, path)
    assert.deepEqual([status, body], [400, { error: `${field} must be a valid uuid` }], path)
  }
})

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
}
