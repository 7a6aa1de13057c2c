import assert from 'node:assert/strict'
import type { CreateCommand } from '@foyer/protocol/commands'
import type { CreateInteractionBody, Interaction, InteractionUpdate } from '@foyer/protocol/interactions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { TestServer } from '../server.ts'
import { type Bot, createApplicationBot, createPerson, type Person } from './people.ts'
import { listJournal } from './space-rows.ts'
import { makeSpace, type TestSpace } from './spaces.ts'

/** A space with a bot and a member who uses it. */
export interface TestBotSpace {
  owner: Person
  asker: Person
  bot: Bot
  space: TestSpace
}

let count = 0

/** Creates a space with two users and a bot that has these commands. */
export async function makeBotSpace(
  server: TestServer,
  commands: readonly CreateCommand[] = [],
): Promise<TestBotSpace> {
  count += 1
  const owner = await createPerson(server, `owner${count}`)
  const asker = await createPerson(server, `asker${count}`)
  const bot = await createApplicationBot(server, owner, { name: `Bot ${count}` })
  const space = await makeSpace(owner, [asker])
  await owner.client.members.addBot(space.id, bot.id)
  await bot.client.interactions.setCommands(bot.id, commands)
  return { owner, asker, bot, space }
}

/** Returns the body of a request to use the bot's command in the first room of the space. */
export async function commandBody(
  { bot, space }: TestBotSpace,
  name: string,
  options: CreateInteractionBody['options'] = [],
): Promise<CreateInteractionBody> {
  const commands = await bot.client.interactions.listCommands(bot.id)
  const command = commands.find((each) => each.name === name)
  assert.ok(command, name)
  return { application_id: bot.id, type: 'command', room_id: space.general, command_id: command.id, options }
}

/** Returns the body of a request to use a component of the bot's message in the first room of the space. */
export function componentBody(
  { bot, space }: TestBotSpace,
  messageId: string,
  customId: string,
  values: string[] = [],
): CreateInteractionBody {
  const component = { message_id: messageId, custom_id: customId, values }
  return { application_id: bot.id, type: 'component', room_id: space.general, component }
}

/** Sends an interaction as the asker, and receives it as the bot. */
export async function ask(place: TestBotSpace, body: CreateInteractionBody): Promise<Interaction> {
  const { id } = await place.asker.client.interactions.create(body)
  const interaction = await place.bot.client.interactions.next(place.bot.id, 10)
  assert.equal(interaction?.id, id)
  return interaction
}

export function askCommand(place: TestBotSpace, name: string): Promise<Interaction> {
  return commandBody(place, name).then((body) => ask(place, body))
}

/** Returns the interaction updates sent to the user, oldest first. */
export async function updatesOf(server: TestServer, { id }: { id: string }): Promise<InteractionUpdate[]> {
  const journal = await listJournal(server, topicOf.user(id))
  const told = journal.filter(({ name }) => name === 'INTERACTION_UPDATE')
  return told.map(({ data }): InteractionUpdate => JSON.parse(JSON.stringify(data)))
}
