import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CreateCommand } from '@foyer/protocol/commands'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { type Bot, createApplicationBot, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let guest: Person
let bot: Bot
let url: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  bot = await createApplicationBot(server, owner, { name: 'Dice' })
  url = `/api/applications/${bot.id}/commands`
})
after(() => server.close())

const roll: CreateCommand = { name: 'roll', description: 'Rolls dice' }
const poll: CreateCommand = {
  name: 'poll',
  description: ' Asks ',
  options: [
    { name: 'question', description: 'What', type: 'string', min: 3, max: 200 },
    {
      name: 'days',
      description: 'How long',
      type: 'integer',
      required: true,
      choices: [{ name: 'One', value: 1 }],
    },
  ],
}

test('COMMAND-1: the owner and the bot read and set the commands; for everyone else the application is 404', async () => {
  const [made] = await bot.client.interactions.setCommands(bot.id, [poll])
  const option = { required: false, choices: [], autocomplete: false, min: null, max: null }
  assert.deepEqual(made, {
    id: made?.id,
    application_id: bot.id,
    name: 'poll',
    description: 'Asks',
    options: [
      { ...option, name: 'question', description: 'What', type: 'string', min: 3, max: 200 },
      {
        ...option,
        name: 'days',
        description: 'How long',
        type: 'integer',
        required: true,
        choices: [{ name: 'One', value: 1 }],
      },
    ],
  })
  assert.deepEqual(await owner.client.interactions.listCommands(bot.id), [made])
  assert.deepEqual(await bot.client.interactions.listCommands(bot.id), [made])
  const other = await createApplicationBot(server, owner, { name: 'Other' })
  for (const [who, path] of [
    [guest, url],
    [other, url],
    [await createBot(server, 'homeless'), url],
    [owner, `/api/applications/${newId()}/commands`],
  ] as const) {
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', 'no JSON'],
    ] as const)
      assert.equal((await who.call(method, path, body)).code, 'unknown_application')
  }
})

test('COMMAND-2: setting replaces all commands, and keeps the ids of those with the same name', async () => {
  const [first, second] = await owner.client.interactions.setCommands(bot.id, [roll, poll])
  const changed = { ...poll, description: 'Other words', options: null }
  const set = await owner.client.interactions.setCommands(bot.id, [changed, { ...roll, name: 'r-2_x' }])
  assert.equal(set[0]?.id, second?.id)
  assert.deepEqual(
    set.map(({ name, description, options }) => [name, description, options.length]),
    [
      ['poll', 'Other words', 0],
      ['r-2_x', 'Rolls dice', 0],
    ],
  )
  const [again] = await owner.client.interactions.setCommands(bot.id, [roll])
  assert.notEqual(again?.id, first?.id)
  assert.deepEqual(await owner.client.interactions.setCommands(bot.id, []), [])
})

test('COMMAND-2: several simultaneous sets each see one complete list', async () => {
  const named = (letter: string) => [1, 2, 3].map((n) => ({ ...roll, name: `${letter}${n}` }))
  const sets = await Promise.all(
    ['a', 'b', 'c', 'd'].map((letter) => bot.client.interactions.setCommands(bot.id, named(letter))),
  )
  for (const set of sets) assert.equal(new Set(set.map(({ name }) => name[0])).size, 1)
  const left = await bot.client.interactions.listCommands(bot.id)
  assert.ok(sets.some((set) => JSON.stringify(set) === JSON.stringify(left)))
})

function withOption(option: object): unknown[] {
  return [{ ...roll, options: [{ name: 'x', description: 'x', type: 'string', ...option }] }]
}

test('COMMAND-3: an invalid command is refused with a message', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...roll, name: `c${n}` }))
  const refused: [unknown, string][] = [
    [{}, 'the request body must be array'],
    [[roll, { ...roll }], '1.name is used twice'],
    [[{ ...roll, name: 'Roll' }], '0.name must be 1 to 32 characters of a-z, 0-9, _ and -'],
    [[{ ...roll, name: 'x'.repeat(33) }], '0.name must be 1 to 32 characters of a-z, 0-9, _ and -'],
    [[{ ...roll, description: '  ' }], '0.description must not be empty'],
    [[{ name: 'x' }], '0.description is required'],
    [many(101), 'the request body must not have more than 100 items'],
    [[{ ...roll, options: many(26) }], '0.options must not have more than 25 items'],
    [
      withOption({ type: 'colour' }),
      '0.options.0.type must be one of string, integer, number, boolean, user, room, role',
    ],
    [
      [{ ...roll, options: [1, 2].map(() => ({ name: 'x', description: 'x', type: 'user' })) }],
      '0.options.1.name is used twice',
    ],
    [
      withOption({ choices: many(26).map(({ name }) => ({ name, value: name })) }),
      '0.options.0.choices must not have more than 25 items',
    ],
  ]
  for (const [body, error] of refused)
    assert.deepEqual(await owner.call('PUT', url, body), {
      status: 400,
      code: 'invalid_request',
      body: { error },
    })
  assert.equal((await owner.call('PUT', url, many(100))).status, 200)
})

test('COMMAND-4: choices, suggestions and bounds must match the type of their option', async () => {
  const at = '0.options.0'
  const choices = [{ name: 'One', value: 1 }]
  const refused: [object, string][] = [
    [{ type: 'user', choices }, `${at}.choices are only for types string, integer and number`],
    [
      { type: 'boolean', autocomplete: true },
      `${at}.autocomplete is only for types string, integer and number`,
    ],
    [{ type: 'room', max: 3 }, `${at}.min and max are only for types string, integer and number`],
    [{ type: 'integer', choices, autocomplete: true }, `${at}.autocomplete cannot be combined with choices`],
    [{ choices }, `${at}.choices.0.value must be string`],
    [{ choices: [{ name: 'One', value: '' }] }, `${at}.choices.0.value must not be empty`],
    [{ type: 'integer', choices: [{ name: 'One', value: 1.5 }] }, `${at}.choices.0.value must be integer`],
    [
      { type: 'integer', choices: [{ name: 'One', value: 2 ** 53 }] },
      `${at}.choices.0.value must be integer`,
    ],
    [{ type: 'number', choices: [{ name: 'One', value: '1' }] }, `${at}.choices.0.value must be number`],
    [
      { type: 'number', choices: [{ name: 'One', value: null }] },
      `${at}.choices.0.value must be string,number`,
    ],
    [
      { type: 'integer', choices: [...choices, { name: 'One', value: 2 }] },
      `${at}.choices.1.name is used twice`,
    ],
    [
      { type: 'integer', choices: [...choices, { name: 'Uno', value: 1 }] },
      `${at}.choices.1.value is used twice`,
    ],
    [{ type: 'number', min: 2, max: 1 }, `${at}.min must not be greater than max`],
    [{ type: 'integer', min: 0.5 }, `${at}.min must be integer`],
    [{ min: -1 }, `${at}.min of a string must be an integer from 0 to 4000`],
    [{ max: 4001 }, `${at}.max of a string must be an integer from 0 to 4000`],
  ]
  for (const [option, error] of refused) {
    const answer = await owner.call('PUT', url, withOption(option))
    assert.deepEqual(answer, { status: 400, code: 'invalid_request', body: { error } })
  }
  const allowed = [
    { type: 'number', min: -1.5, max: -1.5 },
    { min: 0, max: 4000 },
    { type: 'integer', autocomplete: true, choices: [] },
    { type: 'role', required: true },
  ]
  for (const option of allowed) assert.equal((await owner.call('PUT', url, withOption(option))).status, 200)
})

test('COMMAND-5: only members list the commands of the bots that are members', async () => {
  const [space, other] = [await makeSpace(owner, [guest]), await makeSpace(owner)]
  const second = await createApplicationBot(server, owner, { name: 'Second' })
  await second.client.interactions.setCommands(second.id, [roll])
  await bot.client.interactions.setCommands(bot.id, [roll, poll])
  await owner.client.members.addBot(space.id, bot.id)
  await owner.client.members.addBot(other.id, second.id)
  const listed = await guest.client.interactions.listOfSpace(space.id)
  assert.deepEqual(
    listed.map(({ name, bot: { id, username, is_bot } }) => [name, id, username, is_bot]),
    ['poll', 'roll'].map((name) => [name, bot.id, 'dice', true]),
  )
  assert.equal((await guest.call('GET', `/api/spaces/${other.id}/commands`)).code, 'not_a_member')
  await owner.client.members.removeBot(space.id, bot.id)
  assert.deepEqual(await owner.client.interactions.listOfSpace(space.id), [])
})

/** Inserts a group without going through the endpoint. */
async function makeGroup(memberIds: readonly string[]): Promise<string> {
  const id = newId()
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(
      sql`insert into conversations (id, type, owner_id) values (${id}, 2, ${memberIds[0]})`,
    )
    await transaction.query(sql`
      insert into conversation_members (conversation_id, user_id) select ${id}, unnest(${memberIds}::uuid[])`)
  })
  return id
}

test('COMMAND-5: users in a conversation list the commands of the bots in it', async () => {
  await bot.client.interactions.setCommands(bot.id, [roll])
  const group = await makeGroup([owner.id, bot.id])
  const listed = await owner.client.interactions.listOfConversation(group)
  assert.deepEqual(
    listed.map(({ name, bot: { id } }) => [name, id]),
    [['roll', bot.id]],
  )
  const answer = await guest.call('GET', `/api/conversations/${group}/commands`)
  assert.equal(answer.code, 'unknown_conversation')
})

test('COMMAND-6: the owner and the bot receive a change, then the bot’s spaces and conversations; no change publishes nothing', async () => {
  const made = await createApplicationBot(server, owner, { name: 'Teller' })
  const space = await makeSpace(guest)
  await guest.client.members.addBot(space.id, made.id)
  const group = await makeGroup([guest.id, made.id])
  const [listening, elsewhere] = [await connect(server, guest), await connect(server, owner)]
  await made.client.interactions.setCommands(made.id, [roll])
  const { d } = await listening.findEvent('APPLICATION_COMMANDS_UPDATE')
  assert.deepEqual(d, { application_id: made.id })
  const heard = async (topic: Parameters<typeof listJournal>[1]) =>
    (await listJournal(server, topic)).filter(({ name }) => name === 'APPLICATION_COMMANDS_UPDATE').length
  const deadline = Date.now() + 10_000
  while ((await heard(topicOf.conversation(group))) === 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const topics = [topicOf.user(made.id), topicOf.space(space.id), topicOf.conversation(group)]
  assert.deepEqual(await Promise.all(topics.map(heard)), [1, 1, 1])
  assert.equal(await heard(topicOf.user(guest.id)), 0)
  await elsewhere.settle()
  assert.equal(elsewhere.heard('APPLICATION_COMMANDS_UPDATE').at(-1)?.text.includes(made.id), true)
  await made.client.interactions.setCommands(made.id, [roll])
  assert.equal(await heard(topicOf.user(made.id)), 1)
  listening.close()
  elsewhere.close()
})

test('COMMAND-7: commands are deleted with their application', async () => {
  const made = await createApplicationBot(server, owner, { name: 'Fleeting' })
  const group = await makeGroup([owner.id, made.id])
  await made.client.interactions.setCommands(made.id, [roll])
  await owner.client.applications.delete(made.id)
  assert.deepEqual(await owner.client.interactions.listOfConversation(group), [])
  assert.equal((await owner.call('GET', `/api/applications/${made.id}/commands`)).code, 'unknown_application')
})
