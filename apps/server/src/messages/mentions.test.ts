import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_MENTIONS } from '@foyer/protocol/limits'
import type { AllowedMentions, Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let stranger: Person
let space: TestSpace
let room: string

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
  stranger = await createPerson(server, 'stranger')
  space = await makeSpace(ada, [eve, kim])
  room = space.general
})
after(() => server.close())

const at = (person: Person) => `<@${person.id}>`

/** Returns a message's mentions: users by name, then roles, then everyone. */
function mentionedNames({ mentions, mention_roles, mention_everyone }: Message): string[] {
  return [
    ...mentions.map((user) => user.username),
    ...mention_roles,
    ...(mention_everyone ? ['everyone'] : []),
  ]
}

async function say(person: Person, content: string, allowed?: AllowedMentions): Promise<string[]> {
  const body = allowed === undefined ? { content } : { content, allowed_mentions: allowed }
  const message = await person.client.messages.create(room, body)
  const [read] = await ada.client.messages.list(room, { limit: 1 })
  assert.deepEqual(read, message)
  return mentionedNames(message)
}

test('MENTION-1: members are mentioned by their ids, each once; strangers and unknown ids stay text', async () => {
  const text = `${at(kim)} ${at(stranger)} ${at(eve)} ${at(kim)} <@${newId()}> <@nonsense>`
  assert.deepEqual(await say(ada, text), ['kim', 'eve'])
  assert.deepEqual(await say(ada, 'nobody'), [])
})

test('MENTION-1: only the first hundred mentions count', async () => {
  const crowd = Array.from({ length: 102 }, () => newId())
  await server.deps.database.execute(sql`
    insert into users (id, username, email) select id, 'u' || id, id || '@example.org' from unnest(${crowd}::uuid[]) as id`)
  await server.deps.database.execute(sql`
    insert into members (space_id, user_id) select ${space.id}, id from unnest(${crowd}::uuid[]) as id`)
  const content = crowd.map((id) => `<@${id}>`).join('')
  const { mentions } = await ada.client.messages.create(room, { content })
  assert.deepEqual(
    mentions.map(({ id }) => id),
    crowd.slice(0, MAX_MENTIONS),
  )
})

test('MENTION-2: text in code mentions nobody', async () => {
  assert.deepEqual(await say(ada, `\`${at(eve)}\` \`\`\`\n${at(kim)} @everyone\n\`\`\``), [])
  assert.deepEqual(await say(ada, `\`open ${at(eve)}`), ['eve'])
})

test('MENTION-3: everyone is mentioned with ManageMessages, by any of the three names', async () => {
  for (const name of ['@everyone', '@here', `<@&${space.id}>`]) {
    assert.deepEqual(await say(ada, `hi ${name}!`), ['everyone'])
    assert.deepEqual(await say(eve, `hi ${name}!`), [])
  }
  assert.deepEqual(await say(ada, 'mail@everyone_else'), [])
  const grant = { room_id: room, target_id: kim.id, target_type: 1, deny_flags: 0 }
  await insertOverwrite(server, space.id, { ...grant, allow_flags: Permission.ManageMessages })
  assert.deepEqual(await say(kim, '@everyone'), ['everyone'])
})

test('MENTION-4: anyone can mention roles of the space; other roles stay text', async () => {
  const role = await ada.client.roles.create(space.id, { name: 'cooks' })
  const other = await makeSpace(ada)
  const foreign = await ada.client.roles.create(other.id, { name: 'others' })
  assert.deepEqual(await say(eve, `<@&${role.id}> <@&${foreign.id}> <@&${other.id}>`), [role.id])
})

test('MENTION-5: allowed_mentions keeps only the kinds and ids that it names', async () => {
  const role = await ada.client.roles.create(space.id, { name: 'guests' })
  const text = `${at(eve)} ${at(kim)} <@&${role.id}> @everyone`
  assert.deepEqual(await say(ada, text), ['eve', 'kim', role.id, 'everyone'])
  assert.deepEqual(await say(ada, text, { parse: [] }), [])
  assert.deepEqual(await say(ada, text, {}), [])
  assert.deepEqual(await say(ada, text, { parse: ['users'] }), ['eve', 'kim'])
  assert.deepEqual(await say(ada, text, { parse: ['roles', 'everyone'] }), [role.id, 'everyone'])
  assert.deepEqual(await say(ada, text, { users: [kim.id, stranger.id] }), ['kim'])
  assert.deepEqual(await say(ada, text, { users: [kim.id], roles: [role.id] }), ['kim', role.id])
  const wrong = [{ parse: ['all'] }, { users: ['x'] }, { users: 'all' }, { parse: 'users' }, 'none']
  for (const allowed_mentions of wrong) {
    const { status, code } = await ada.call('POST', `/api/rooms/${room}/messages`, {
      content: text,
      allowed_mentions,
    })
    assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(allowed_mentions))
  }
})

test('MENTION-6: a reply mentions the author it replies to, unless that is turned off, and an edit keeps this', async () => {
  const { id: message_id } = await eve.client.messages.create(room, { content: 'question' })
  const answer = (allowed_mentions?: AllowedMentions) =>
    ada.client.messages.create(room, {
      content: 'answer',
      reference: { message_id },
      ...(allowed_mentions === undefined ? {} : { allowed_mentions }),
    })
  const [loud, quiet] = [await answer(), await answer({ replied_user: false })]
  assert.deepEqual(
    [mentionedNames(loud), mentionedNames(quiet), mentionedNames(await answer({ parse: [] }))],
    [['eve'], [], ['eve']],
  )
  const edit = (id: string, content: string) => ada.client.messages.update(room, id, { content })
  assert.deepEqual(mentionedNames(await edit(loud.id, `better, ${at(kim)}`)), ['eve', 'kim'])
  assert.deepEqual(mentionedNames(await edit(quiet.id, 'better')), [])
})

test('MENTION-7: an edit mentions the users it names now, and nobody else', async () => {
  const { id } = await eve.client.messages.create(room, { content: `${at(kim)} ${at(ada)}` })
  const edited = await eve.client.messages.update(room, id, { content: `${at(kim)} @everyone` })
  assert.deepEqual(mentionedNames(edited), ['kim'])
  assert.deepEqual(mentionedNames(await ada.client.messages.get(room, id)), ['kim'])
})
