import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CreateInteractionBody, InteractionOption } from '@foyer/protocol/interactions'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { ask, commandBody, makeBotSpace, type TestBotSpace } from '#test/scenes/interactions.ts'
import { createPerson } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let place: TestBotSpace

const text = (name: string, more: object = {}) => ({ name, description: 'x', type: 'string', ...more })

before(async () => {
  server = await startTestServer()
  place = await makeBotSpace(server, [
    { name: 'plain', description: 'x' },
    {
      name: 'rich',
      description: 'x',
      options: [
        text('text', { required: true, min: 2, max: 5 }),
        text('count', { type: 'integer', min: 1, max: 6 }),
        text('ratio', { type: 'number' }),
        text('sure', { type: 'boolean' }),
        text('who', { type: 'user' }),
        text('where', { type: 'room' }),
        text('role', { type: 'role' }),
        text('colour', { choices: [{ name: 'Red', value: 'red' }] }),
        text('city', { autocomplete: true }),
      ],
    },
  ])
})
after(() => server.close())

function create(body: unknown, who = place.asker) {
  return who.call('POST', '/api/interactions', body)
}

/** Counts the bot's INTERACTION_CREATE events. */
async function published(): Promise<number> {
  const journal = await listJournal(server, topicOf.user(place.bot.id))
  return journal.filter(({ name }) => name === 'INTERACTION_CREATE').length
}

test('INTERACTION-1, INTERACTION-7: the bot receives the user, the command, the room and the permissions', async () => {
  const { asker, bot, space } = place
  const body = await commandBody(place, 'plain')
  const { token, user, member, created_at, ...rest } = await ask(place, { ...body, nonce: 'n1' })
  assert.match(token, /^[\w-]{43}$/)
  assert.match(created_at, /Z$/)
  assert.deepEqual([user.id, member?.user_id, Object.hasOwn(user, 'phone')], [asker.id, asker.id, false])
  assert.deepEqual(rest, {
    id: rest.id,
    application_id: bot.id,
    type: 'command',
    room_id: space.general,
    conversation_id: null,
    space_id: space.id,
    permissions: 1254,
    command: { id: body.command_id, name: 'plain', options: [] },
    component: null,
    modal: null,
  })
  assert.equal((await create({ ...body, nonce: 'n2' })).status, 202)
})

test('INTERACTION-1: a command can be named by its id or its name', async () => {
  const fresh = await makeBotSpace(server, [{ name: 'plain', description: 'Nothing' }])
  const { command_id = null, ...rest } = await commandBody(fresh, 'plain')
  const wanted = { id: command_id, name: 'plain', options: [] }
  for (const named of [
    { command: 'plain' },
    { command: command_id },
    { command: String(command_id).toUpperCase() },
    { command: 'no-such', command_id },
  ]) {
    const { command } = await ask(fresh, { ...rest, ...named })
    assert.deepEqual(command, wanted, JSON.stringify(named))
  }
})

test('INTERACTION-1: it requires a room where the user may send and the bot is present', async () => {
  const { owner, asker, bot, space } = place
  const body = await commandBody(place, 'plain')
  const before = await published()
  const { id: hidden } = await owner.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  const deny = (target_id: string, target_type: number, deny_flags: number) =>
    owner.client.overwrites.upsert(space.id, hidden, { target_id, target_type, allow_flags: 0, deny_flags })
  await deny(bot.id, OverwriteTarget.Member, Permission.ViewChannels)
  assert.equal((await create({ ...body, room_id: hidden })).code, 'unknown_application')
  await deny(asker.id, OverwriteTarget.Member, Permission.SendMessages)
  assert.equal((await create({ ...body, room_id: hidden })).code, 'missing_permission')
  await deny(asker.id, OverwriteTarget.Member, Permission.ViewChannels)
  assert.equal((await create({ ...body, room_id: hidden })).code, 'missing_permission')
  const other = await makeSpace(owner)
  const category = space.rooms.find(({ type }) => type === 3)?.id
  const [noPlace, twoPlaces] = [{ room_id: null }, { conversation_id: newId() }]
  const refused: [object, string][] = [
    [{ room_id: other.general }, 'not_a_member'],
    [{ room_id: newId() }, 'unknown_room'],
    [{ room_id: category }, 'not_a_message_room'],
    [{ room_id: null, conversation_id: newId() }, 'unknown_conversation'],
    [noPlace, 'invalid_request'],
    [twoPlaces, 'invalid_request'],
    [{ application_id: newId() }, 'unknown_application'],
    [{ application_id: owner.id }, 'unknown_command'],
    [{ command_id: newId() }, 'unknown_command'],
    [{ command_id: null }, 'invalid_request'],
    [{ command_id: null, command: 'no-such' }, 'unknown_command'],
    [{ command_id: null, command: newId() }, 'unknown_command'],
    [{ command_id: null, command: 7 }, 'invalid_request'],
    [{ type: 'component' }, 'invalid_request'],
    [{ type: 'modal' }, 'invalid_request'],
    [{ type: 'dance' }, 'invalid_request'],
    [{ application_id: 'bot' }, 'invalid_request'],
  ]
  for (const [change, code] of refused) assert.equal((await create({ ...body, ...change })).code, code)
  const stranger = await createPerson(server, 'stranger')
  assert.equal((await create(body, stranger)).code, 'not_a_member')
  assert.equal((await create(body, bot)).code, 'bots_not_allowed')
  assert.equal(await published(), before)
})

const refusedOptions: [string, unknown, string][] = [
  ['text', 'a', 'must have a length of at least 2'],
  ['text', '😀😀😀😀😀😀', 'must have a length of at most 5'],
  ['text', 7, 'must be string'],
  ['count', '3', 'must be integer'],
  ['count', 1.5, 'must be integer'],
  ['count', 2 ** 60, 'must be integer'],
  ['count', 0, 'must be at least 1'],
  ['count', 7, 'must be at most 6'],
  ['ratio', true, 'must be number'],
  ['sure', 'yes', 'must be boolean'],
  ['who', 'me', 'must be user'],
  ['who', newId(), 'must be a user of this space or conversation'],
  ['where', newId(), 'must be a room of this space or conversation'],
  ['role', newId(), 'must be a role of this space or conversation'],
  ['colour', 'blue', 'must be one of its choices'],
  ['size', 1, 'is not an option of the command, or is given twice'],
]

test('INTERACTION-2: options must match the command', async () => {
  const before = await published()
  for (const [name, value, complaint] of refusedOptions) {
    const rest = name === 'text' ? [] : [{ name: 'text', value: 'abc' }]
    const body = { ...(await commandBody(place, 'rich')), options: [...rest, { name, value }] }
    const answer = await create(body)
    assert.deepEqual([answer.status, answer.body], [400, { error: `options.${name} ${complaint}` }])
  }
  const bare = await commandBody(place, 'rich')
  assert.deepEqual((await create(bare)).body, { error: 'options.text is required' })
  const twice = [1, 2].map(() => ({ name: 'text', value: 'abc' }))
  assert.equal((await create({ ...bare, options: twice })).status, 400)
  for (const value of [null, [], {}])
    assert.equal((await create({ ...bare, options: [{ name: 'text', value }] })).status, 400)
  assert.equal(await published(), before)
})

test('INTERACTION-2: users, rooms and roles must be those of the space, as the caller sees it', async () => {
  const { owner, asker, space } = place
  const { id: hidden } = await owner.client.rooms.create(space.id, { name: 'secret', type: 1 })
  await owner.client.overwrites.upsert(space.id, hidden, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  const role = await owner.client.roles.create(space.id, { name: 'Guest' })
  const body = await commandBody(place, 'rich')
  const options: InteractionOption[] = [
    { name: 'where', value: space.lounge },
    { name: 'text', value: 'abc' },
    { name: 'who', value: asker.id },
    { name: 'role', value: role.id },
    { name: 'colour', value: 'red' },
    { name: 'sure', value: false },
    { name: 'ratio', value: -0.5 },
    { name: 'count', value: 6 },
    { name: 'city', value: 'Rome' },
  ]
  await drain()
  const { command } = await ask(place, { ...body, options })
  assert.deepEqual(command?.options, options)
  const secret = [
    { name: 'text', value: 'abc' },
    { name: 'where', value: hidden },
  ]
  assert.deepEqual((await create({ ...body, options: secret })).body, {
    error: 'options.where must be a room of this space or conversation',
  })
})

/** Polls until no interaction is waiting. */
async function drain(): Promise<void> {
  const { bot } = place
  while ((await bot.client.interactions.next(bot.id, 0)) !== undefined);
}

test('INTERACTION-3: the other options only need the right type while one is being typed', async () => {
  const body: CreateInteractionBody = { ...(await commandBody(place, 'rich')), type: 'autocomplete' }
  const typed = (options: unknown[]) => create({ ...body, options })
  const city = { name: 'city', value: '', focused: true }
  const refused: [unknown[], string][] = [
    [[{ name: 'city', value: 'Ro' }], 'options must have exactly one that is focused'],
    [[city, { name: 'text', value: '', focused: true }], 'options must have exactly one that is focused'],
    [[{ name: 'text', value: '', focused: true }], 'options.text has no suggestions'],
    [[{ ...city, value: true }], 'options.city must be text'],
    [[city, { name: 'count', value: 'x' }], 'options.count must be integer'],
  ]
  for (const [options, error] of refused) assert.deepEqual((await typed(options)).body, { error })
  await drain()
  const options = [{ name: 'count', value: 99 }, city]
  const { type, command } = await ask(place, { ...body, options })
  assert.deepEqual([type, command?.options], ['autocomplete', options])
})

test('INTERACTION-6: a repeated nonce invokes once', async () => {
  const { asker, owner } = place
  const body = { ...(await commandBody(place, 'plain')), nonce: 'again' }
  const before = await published()
  const answers = await Promise.all([1, 2, 3].map(() => asker.client.interactions.create(body)))
  assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
  assert.equal(await published(), before + 1)
  const later = await asker.client.interactions.create({ ...body, room_id: newId() })
  assert.equal(later.id, answers[0]?.id)
  const others = await owner.client.interactions.create(body)
  assert.notEqual(others.id, later.id)
  await server.deps.database.execute(sql`
    update interaction_nonces set created_at = now() - interval '25 hours' where nonce = 'again'`)
  assert.notEqual((await asker.client.interactions.create(body)).id, later.id)
  assert.equal(await published(), before + 3)
})

test('INTERACTION-10: only the bot receives the interaction, and the token is in no row', async () => {
  await drain()
  const { id, token } = await ask(place, await commandBody(place, 'plain'))
  const rows = await server.deps.database.query<{ kind: string; tenant_id: string }>(
    sql`select kind, tenant_id from events where data like ${`%${token}%`}`,
  )
  assert.deepEqual(rows, [{ kind: 'user', tenant_id: place.bot.id }])
  const [row] = await server.deps.database.query<{ text: string }>(
    sql`select interactions::text as text from interactions where id = ${id}`,
  )
  assert.ok(row && !row.text.includes(token))
})
