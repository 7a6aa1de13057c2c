import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { archiveOf, refusalOf } from '#test/scenes/hostile-archives.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import {
  archivedMessage,
  archivedRoom,
  archivedSpace,
  EVERYONE_ID,
  ROOM_ID,
} from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import type { ArchivedRule, ArchivedSpace } from './format.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
})

const refused = (archive: Buffer) => refusalOf(server, ada, archive)
const refusedSpace = async (changes: Partial<ArchivedSpace>) =>
  refused(await archiveOf(archivedSpace(changes)))
const refusedMessages = async (...messages: unknown[]) => refused(await archiveOf(archivedSpace(), messages))

test('SPACE-IMPORT-5: long lines and wrong values are refused, with their place', async () => {
  const long = archivedMessage({ content: 'x'.repeat(600_000) })
  assert.match(await refusedMessages(long), /000001\.ndjson, line 1 has more than/)
  const good = archivedMessage()
  const bad: [unknown, RegExp][] = [
    [{ ...archivedMessage(), author: { id: newId(), name: '' } }, /line 2: author\.name must not be empty/],
    [{ ...archivedMessage(), author: { id: 'me', name: 'x' } }, /line 2: author\.id must be a valid uuid/],
    [{ ...archivedMessage(), content: 7 }, /line 2: content must be string/],
    [{ ...archivedMessage(), content: 'a\0b' }, /line 2 contains NUL/],
    [{ ...archivedMessage(), created_at: '2999-01-01T00:00:00.000Z' }, /line 2: a time is in the future/],
    [
      archivedMessage({ id: 'ff000000-0000-7000-8000-000000000000' }),
      /line 2: its id is from the future or not a UUID/,
    ],
    [
      archivedMessage({ id: '01900000-0000-4000-8000-000000000000' }),
      /line 2: its id is from the future or not a UUID/,
    ],
    [good, /line 2: messages must be in the order of their ids/],
    [archivedMessage({ embeds: [{ title: '' }] }), /line 2: embeds\.0 is empty/],
    ['text', /line 2: it must be object/],
  ]
  for (const [message, complaint] of bad) assert.match(await refusedMessages(good, message), complaint)
})

const [role] = archivedSpace().roles
const room = archivedRoom()
const image = { id: newId(), name: 'tea' }
const none = { allow_flags: 0, deny_flags: 0, allow_capabilities: 0, deny_capabilities: 0 }
const overwrite = { ...none, role_id: EVERYONE_ID }
const rule: ArchivedRule = {
  name: 'rule',
  mode: 'on',
  trigger: { type: 'words', words: ['x'] },
  action: 'refuse',
  message: null,
  alert_room_id: null,
  timeout_minutes: null,
  exempt_role_ids: [],
  exempt_room_ids: [],
}

test('SPACE-IMPORT-5: roles and rooms that do not fit together are refused', async () => {
  assert.ok(role !== undefined)
  const cases: [Partial<ArchivedSpace>, RegExp][] = [
    [{ roles: [{ ...role, permissions: 1 << 30 }] }, /has unknown permissions/],
    [{ roles: [{ ...role, capabilities: -1 }] }, /has unknown capabilities/],
    [{ roles: [role, role] }, /roles has an id twice/],
    [{ roles: [] }, /roles must not have fewer/],
    [{ rooms: [room, room] }, /rooms has an id twice/],
    [{ rooms: [{ ...room, type: 3, parent_id: ROOM_ID }] }, /is a category in a category/],
    [{ rooms: [{ ...room, parent_id: newId() }] }, /is in a room that is no category/],
    [
      { rooms: [{ ...room, overwrites: [{ ...overwrite, role_id: newId() }] }] },
      /overwrite for an unknown role/,
    ],
    [{ rooms: [{ ...room, overwrites: [overwrite, overwrite] }] }, /two overwrites for one role/],
    [{ rooms: [{ ...room, overwrites: [{ ...overwrite, deny_flags: -5 }] }] }, /unknown permissions/],
    [
      { rooms: Array.from({ length: 501 }, () => archivedRoom({ id: newId() })) },
      /rooms must not have more than 500/,
    ],
  ]
  for (const [changes, complaint] of cases) assert.match(await refusedSpace(changes), complaint)
})

test('SPACE-IMPORT-5: settings, pictures and rules that do not fit together are refused', async () => {
  const cases: [Partial<ArchivedSpace>, RegExp][] = [
    [{ system_room_id: newId() }, /system_room_id must be a text room/],
    [{ emojis: [image, { ...image, id: newId(), name: 'TEA' }] }, /emojis has a name twice/],
    [{ emojis: [{ ...image, name: '<b>' }] }, /emojis\.0\.name/],
    [{ automod_rules: [{ ...rule, trigger: { type: 'words' } }] }, /the automod rule rule:/],
    [{ automod_rules: [{ ...rule, alert_room_id: newId() }] }, /names an unknown room/],
    [{ automod_rules: [{ ...rule, exempt_role_ids: [newId()] }] }, /names an unknown role/],
    [{ name: '' }, /name must not be empty/],
  ]
  for (const [changes, complaint] of cases) assert.match(await refusedSpace(changes), complaint)
})

test('SPACE-IMPORT-5: a picture that is none is refused, and a script in one, too', async () => {
  const image = { id: newId(), name: 'tea' }
  const scripts = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const content of ['hello', scripts, '<html><script>alert(1)</script></html>']) {
    const archive = await archiveOf(
      archivedSpace({ stickers: [image] }),
      [],
      [[`stickers/${image.id}`, content]],
    )
    assert.match(await refused(archive), /stickers\/.* is not an image/)
  }
})

test('SPACE-IMPORT-5: what fails late leaves nothing of what was built before', async () => {
  const image = { id: newId(), name: 'tea' }
  const picture = Buffer.from(await (await png()).arrayBuffer())
  const file = {
    id: newId(),
    filename: 'a.txt',
    content_type: 'text/plain',
    size_bytes: 1,
    description: null,
  }
  const good = Array.from({ length: 600 }, () => archivedMessage())
  const messages = [
    ...good,
    archivedMessage({ attachments: [file] }),
    archivedMessage({ attachments: [file] }),
  ]
  const archive = await archiveOf(archivedSpace({ emojis: [image] }), messages, [
    [`emojis/${image.id}`, picture],
    [`files/${file.id}`, 'x'],
  ])
  assert.match(await refused(archive), /is used by two messages/)
})
