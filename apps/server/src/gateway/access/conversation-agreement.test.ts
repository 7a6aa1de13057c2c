import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { ConversationMirror } from '#test/model/conversation-mirror.ts'
import {
  type ConversationDice,
  type ConversationModel,
  listedFor,
  planConversationChange,
} from '#test/model/conversation-model.ts'
import { Wanderer } from '#test/model/wanderer.ts'
import { makeDirect, makeGroup, say } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const RUNS = Number(process.env.AGREEMENT_RUNS ?? 3)
const STEPS = 14

interface Client {
  mirror: ConversationMirror
  wanderer: Wanderer
}

interface Arena {
  model: ConversationModel
  people: readonly Person[]
  /** Two connections per person: the first stays, the second comes and goes. */
  clients: readonly Client[]
  said: Map<string, Said>
}

interface Said {
  conversationId: string
  audience: readonly string[]
  /** The part of the audience that has listed the conversation ever since. */
  stayed: Set<string>
}

interface Turn {
  dice: ConversationDice
  /** The second connection that goes away or comes back at this step, if any. */
  roamer: number
  /** True if a message is sent in the direct conversation, which lists it again. */
  talks: boolean
}

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const number = fc.nat({ max: 999 })
const turn: fc.Arbitrary<Turn> = fc.record({
  // The first owns the group at the start. Half of the changes are theirs, so that most succeed.
  dice: fc.record({ kind: number, actor: fc.oneof(fc.constant(0), number), other: number }),
  roamer: fc.nat({ max: 6 }),
  talks: fc.boolean(),
})

let cast = 0

test('CONVERSATION-14 and CONVERSATION-15: received events, lists and resends agree after any changes in any order', async () => {
  const histories = fc.array(turn, { minLength: STEPS, maxLength: STEPS, size: 'max' })
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const arena = await openArena()
      try {
        for (const [index, each] of history.entries()) await step(arena, each, `${cast} ${index}`)
        await gather(arena)
      } finally {
        for (const { wanderer } of arena.clients) wanderer.goAway()
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

async function openArena(): Promise<Arena> {
  cast += 1
  const names = ['ann', 'bob', 'cat', 'dan']
  const people = await Promise.all(names.map((name) => createPerson(server, `${name}${cast}`)))
  const [ann, bob, cat, dan] = people
  assert.ok(ann && bob && cat && dan)
  const group = await makeGroup(server, ann, [bob, cat, dan])
  const direct = await makeDirect(server, ann, bob)
  const model: ConversationModel = {
    groupId: group.id,
    members: new Set(people.map(({ id }) => id)),
    ownerId: ann.id,
    name: group.name,
    directId: direct.id,
    pair: [ann.id, bob.id],
    closed: new Set(),
  }
  const clients = await Promise.all([...people, ...people].map(({ id }) => openClient(id)))
  return { model, people, clients, said: new Map() }
}

async function openClient(userId: string): Promise<Client> {
  const wanderer = new Wanderer(server, userId)
  const mirror = new ConversationMirror(userId, wanderer.events)
  await wanderer.comeBack()
  return { mirror, wanderer }
}

async function step(arena: Arena, { dice, roamer, talks }: Turn, mark: string): Promise<void> {
  const { model, people, clients } = arena
  const change = planConversationChange(
    model,
    people.map(({ id }) => id),
    dice,
  )
  const [answer] = await Promise.all([
    personOf(arena, change.actorId).call(change.method, change.path, change.body),
    roam(clients[people.length + roamer]),
  ])
  assert.equal(answer.status, change.status, `${change.method} ${change.path}`)
  change.apply()
  forgetLeavers(arena)
  await learnOwner(arena)
  await speak(arena, { talks, mark })
  await compare(arena, mark)
}

/** A person who is away comes back afterwards. */
async function gather(arena: Arena): Promise<void> {
  for (const client of arena.clients) if (client.wanderer.isAway) await client.wanderer.comeBack()
  await compare(arena, `${cast} all`)
}

async function roam(client: Client | undefined): Promise<void> {
  if (client?.wanderer.isAway === false) return client.wanderer.goAway()
  await client?.wanderer.comeBack()
}

/** When the owner of a group leaves, the server chooses the next one among members who came at the same time. */
async function learnOwner({ model, people }: Arena): Promise<void> {
  const member = people.find(({ id }) => model.members.has(id))
  const { owner_id } = Object(await member?.client.conversations.get(model.groupId))
  if (model.members.has(model.ownerId)) assert.equal(owner_id, model.ownerId)
  assert.ok(model.members.has(owner_id))
  model.ownerId = owner_id
}

async function speak(arena: Arena, { talks, mark }: { talks: boolean; mark: string }): Promise<void> {
  const { model } = arena
  await tell(arena, model.ownerId, {
    id: model.groupId,
    content: `group ${mark}`,
    audience: [...model.members],
  })
  if (!talks) return
  const { directId, pair } = model
  await tell(arena, pair[0] ?? '', { id: directId, content: `direct ${mark}`, audience: pair })
  model.closed.clear()
}

async function tell(
  arena: Arena,
  authorId: string,
  { id, content, audience }: { id: string; content: string; audience: readonly string[] },
): Promise<void> {
  await say(personOf(arena, authorId), id, content)
  arena.said.set(content, { conversationId: id, audience, stayed: new Set(audience) })
}

function forgetLeavers({ model, said }: Arena): void {
  for (const { conversationId, stayed } of said.values()) {
    const gone = [...stayed].filter((userId) => !listedFor(model, userId).includes(conversationId))
    for (const userId of gone) stayed.delete(userId)
  }
}

async function compare(arena: Arena, mark: string): Promise<void> {
  const { people, clients } = arena
  const present = clients.filter(({ wanderer }) => !wanderer.isAway)
  await Promise.all(people.map(({ client }) => client.users.updateMe({ custom: mark })))
  await Promise.all(present.map(({ mirror }) => mirror.reach(mark)))
  for (const { mirror } of present) compareList(arena.model, mirror)
  for (const { mirror } of clients.slice(0, people.length)) compareHeard(arena, mirror)
  for (const { mirror } of present) compareMissed(arena, mirror)
  for (const person of people) {
    const ids = (await person.client.conversations.list()).map(({ id }) => id)
    assert.deepEqual(ids.toSorted(), listedFor(arena.model, person.id))
  }
}

function compareList(model: ConversationModel, { userId, listed, heard }: ConversationMirror): void {
  assert.deepEqual([...listed.keys()].toSorted(), listedFor(model, userId), `what ${userId} lists`)
  assert.equal(new Set(heard).size, heard.length, `${userId} heard each message once`)
  const group = listed.get(model.groupId)
  if (group === undefined) return
  const memberIds = group.recipients.map(({ id }) => id)
  assert.deepEqual(memberIds.toSorted(), [...model.members].toSorted(), `who is in it to ${userId}`)
  assert.deepEqual([group.name, group.owner_id], [model.name, model.ownerId])
}

/** A connection that never left received exactly its events. */
function compareHeard({ said }: Arena, { userId, heard, leaked }: ConversationMirror): void {
  const expected = [...said].filter(([, { audience }]) => audience.includes(userId))
  assert.deepEqual([heard, leaked], [expected.map(([content]) => content), []])
}

/** A connection that returns receives the messages sent since, in the conversations its user still lists. */
function compareMissed({ said }: Arena, { userId, heard }: ConversationMirror): void {
  const missed = [...said].filter(([content, { stayed }]) => stayed.has(userId) && !heard.includes(content))
  assert.deepEqual(missed, [], `what ${userId} missed`)
}

function personOf({ people }: Arena, userId: string): Person {
  const person = people.find(({ id }) => id === userId)
  assert.ok(person)
  return person
}
