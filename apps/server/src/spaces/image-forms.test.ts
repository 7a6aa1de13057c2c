import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import type { Space } from '@foyer/protocol/spaces'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

const REFUSED = { error: "you don't have permission to manage this space" }
const texts = { name: 'Tea', description: 'Green', locale: 'de' }

type Fields = [name: string, value: string | File][]

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let picture: File
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  stranger = await createPerson(server, 'stranger')
  picture = await png()
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  path = `/api/spaces/${space.id}`
  await addStorage(server, space.id)
})

const update = (...fields: Fields) => owner.call('PATCH', path, formOf(...fields))
const published = () => listJournal(server, topicOf.space(space.id))

/** A space with an icon, a banner and all texts. */
async function fill(): Promise<Space> {
  await update(['icon', picture], ['banner', picture])
  return owner.client.spaces.update(space.id, texts)
}

test('IMG-1: a form changes texts like JSON', async () => {
  const before = await fill()
  const answer = await update(['name', '  Coffee '], ['description', 'Black'], ['locale', 'pt-BR'])
  const after = await owner.client.spaces.get(space.id)
  assert.deepEqual(answer, { status: 200, code: null, body: after })
  const changed = { name: 'Coffee', description: 'Black', locale: 'pt-BR', updated_at: after.updated_at }
  assert.deepEqual(after, { ...before, ...changed })
})

const keep = 'keep'
const gone = 'gone'
const fresh = 'new'

for (const [what, fields, icon, banner] of [
  ['nothing', [], keep, keep],
  ['an icon', ['icon'], fresh, keep],
  ['a banner', ['banner'], keep, fresh],
  ['both', ['icon', 'banner'], fresh, fresh],
  ['the removal of the icon', [['remove_icon', 'true']], gone, keep],
  ['the removal of the banner', [['remove_banner', 'true']], keep, gone],
  [
    'the removal of both',
    [
      ['remove_banner', 'true'],
      ['remove_icon', 'true'],
    ],
    gone,
    gone,
  ],
  ['a new icon and its removal', [['remove_icon', 'true'], 'icon'], fresh, keep],
  ['a new banner and its removal', ['banner', ['remove_banner', 'true']], keep, fresh],
  ['a new icon and the removal of the banner', ['icon', ['remove_banner', 'true']], fresh, gone],
  ['a new banner and the removal of the icon', [['remove_icon', 'true'], 'banner'], gone, fresh],
  [
    'ineffective removals',
    [
      ['remove_icon', 'false'],
      ['remove_banner', 'TRUE'],
    ],
    keep,
    keep,
  ],
  [
    'other ineffective removals',
    [
      ['remove_icon', ''],
      ['remove_banner', '1'],
    ],
    keep,
    keep,
  ],
  [
    'images as texts',
    [
      ['icon', newId()],
      ['banner', ''],
    ],
    keep,
    keep,
  ],
  [
    'unknown fields',
    [
      ['remove_name', 'true'],
      ['owner_id', newId()],
      ['__proto__', 'x'],
    ],
    keep,
    keep,
  ],
] as const) {
  test(`IMG-1: a form with ${what} changes only the right images`, async () => {
    const before = await fill()
    const given: Fields = fields.map((field) =>
      typeof field === 'string' ? [field, picture] : [field[0], field[1]],
    )
    assert.equal((await update(...given)).status, 200)
    const after = await owner.client.spaces.get(space.id)
    assert.equal(fateOf(before.icon, after.icon), icon)
    assert.equal(fateOf(before.banner, after.banner), banner)
    const { name, description, locale, owner_id } = after
    assert.deepEqual({ name, description, locale, owner_id }, { ...texts, owner_id: owner.id })
    const shown = [after.icon, after.banner].filter((id) => id !== null)
    assert.deepEqual((await listHoldings(server, space.id)).ids, shown.toSorted())
  })
}

function fateOf(before: string | null, after: string | null): string {
  if (after === null) return gone
  return after === before ? keep : fresh
}

test('IMG-1: an empty text clears what null clears in JSON, and other texts must not be empty', async () => {
  await fill()
  await update(['description', ''], ['locale', ''])
  const { description, locale } = await owner.client.spaces.get(space.id)
  assert.deepEqual([description, locale], [null, null])
  const answer = await update(['name', ''])
  assert.deepEqual([answer.status, answer.body], [400, { error: 'name must not be empty' }])
})

test('IMG-1: an invalid form, or one with too much in it, is 400, and changes nothing', async () => {
  const before = await fill()
  const heard = await published()
  const forms: Fields[] = [
    [
      ['icon', picture],
      ['icon', picture],
    ],
    [
      ['banner', picture],
      ['name', 'Half'],
      ['banner', picture],
    ],
    [
      ['icon', picture],
      ['banner', picture],
      ['other', picture],
    ],
    [
      ['name', 'One'],
      ['name', 'Two'],
    ],
    [['name', 'x'.repeat(101)]],
    [['description', 'x'.repeat(1025)]],
    [['locale', 'x'.repeat(36)]],
    [['name', 'NUL \0']],
  ]
  for (const form of forms) assert.equal((await update(...form)).status, 400, JSON.stringify(form))
  assert.deepEqual(await owner.client.spaces.get(space.id), before)
  assert.deepEqual(await published(), heard)
})

test('IMG-1: a file of another name is ignored', async () => {
  const before = await fill()
  assert.equal((await update(['avatar', picture])).status, 200)
  assert.deepEqual(await owner.client.spaces.get(space.id), before)
  assert.equal((await listHoldings(server, space.id)).ids.length, 2)
})

test('IMG-2: everyone else gets the same 403 as for JSON, and nothing is stored', async () => {
  const permissions = ALL_PERMISSIONS & ~Permission.Administrator
  const roleId = await insertRole(server, space.id, { permissions, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: guest.id, roleId })
  const asked: [Person, string][] = [
    [guest, path],
    [stranger, path],
    [stranger, `/api/spaces/${newId()}`],
    [await createBot(server, 'outsider'), path],
  ]
  for (const [person, at] of asked) {
    const answer = await person.call('PATCH', at, formOf(['icon', picture], ['name', '']))
    assert.deepEqual(answer, { status: 403, code: 'cannot_manage_space', body: REFUSED })
  }
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
})

test('IMG-2: administrators change images, by PUT and by PATCH', async () => {
  const roleId = await insertRole(server, space.id, { permissions: Permission.Administrator, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: guest.id, roleId })
  assert.equal((await guest.call('PUT', path, formOf(['icon', picture]))).status, 200)
  assert.notEqual((await owner.client.spaces.get(space.id)).icon, null)
})

test('IMG-9: the space receives SPACE_UPDATE with the new image, once', async () => {
  const heard = await published()
  const { body } = await update(['icon', picture], ['name', 'Pictured'])
  assert.deepEqual(await published(), [...heard, { name: 'SPACE_UPDATE', audience: 0, data: body }])
  assert.deepEqual(await guest.client.spaces.get(space.id), body)
  const { code } = await owner.client.invites.create(space.id, space.general)
  const { icon } = (await owner.client.invites.get(code)).space
  assert.equal(icon, (await owner.client.spaces.get(space.id)).icon)
})

test('IMG-7: a replaced image is deleted, and so is one that JSON removes', async () => {
  const { icon, banner } = await fill()
  await update(['icon', picture])
  const { icon: second } = await owner.client.spaces.get(space.id)
  assert.deepEqual((await listHoldings(server, space.id)).ids, [banner, second].toSorted())
  assert.notEqual(icon, second)
  await owner.client.spaces.update(space.id, { icon: null, banner: '' })
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
})

test('IMG-7: one image stays after simultaneous updates', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => update(['icon', picture], ['banner', picture])))
  for (const { status } of answers) assert.equal(status, 200)
  const { icon, banner } = await owner.client.spaces.get(space.id)
  assert.deepEqual((await listHoldings(server, space.id)).ids, [icon, banner].toSorted())
})

test('IMG-6: no files are left except those that are shown', () => checkFilesAtRest(server))
