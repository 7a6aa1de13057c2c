import { webPresences } from '@foyer/protocol/on-web'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { until } from '#test/until.ts'
import { ownAddresses } from './web-addresses.ts'
import type { Actor } from './web-model.ts'
import { at, goodbye, letJoin, newActor, type Turn, type WebScene } from './web-scene.ts'

/** Changes how a user appears on the web: with or without a name, or not at all. */
export async function appear({ scene, author }: Turn): Promise<void> {
  const presence = scene.random.pick(webPresences)
  await at(scene, author.person).client.users.updateMe({ web_presence: presence })
  scene.model.presence.set(author.person.id, presence)
}

/** Changes an alias, or a nickname in the space. */
export async function renamePerson({ scene, author }: Turn): Promise<void> {
  const { random, spaceId, count } = scene
  const name = `person${count}n`
  const { client } = at(scene, author.person)
  if (!author.isMember || random.below(2) === 0) {
    await client.users.updateMe({ alias: name })
    author.alias = name
  } else {
    const nickname = author.nickname === undefined ? name : null
    await client.members.updateMe(spaceId, { nickname })
    author.nickname = nickname ?? undefined
  }
}

/** Blocks or unblocks a user, which changes nothing for people without an account. */
export async function block({ scene, author, mentioned }: Turn): Promise<void> {
  if (author === mentioned) return
  const { friends } = at(scene, author.person).client
  const { id } = mentioned.person
  const isBlocked = (await friends.listBlocks()).some(({ user }) => user.id === id)
  if (isBlocked) await friends.unblock(id)
  else await friends.block(id)
}

/** Bans or removes a member, or lets a former member join again. */
export async function banOrForgive(turn: Turn): Promise<void> {
  const { scene, author } = turn
  if (author === scene.owner) return
  if (!author.isMember) await forgive(turn)
  else if (scene.random.below(2) === 0) await ban(turn)
  else await kick(turn)
}

async function forgive({ scene, author }: Turn): Promise<void> {
  const { spaceId, owner } = scene
  if (author.isBanned) await at(scene, owner.person).client.bans.delete(spaceId, author.person.id)
  await letJoin(scene, author)
  Object.assign(author, { isMember: true, isBanned: false })
}

async function kick({ scene, author }: Turn): Promise<void> {
  await at(scene, scene.owner.person).client.members.kick(scene.spaceId, author.person.id)
  Object.assign(author, { isMember: false, nickname: undefined })
}

/** Bans a member, with or without their newest messages. */
async function ban({ scene, author }: Turn): Promise<void> {
  const { spaceId, owner, random, model } = scene
  const isErased = random.below(2) === 0
  const body = isErased ? { delete_seconds: 7 * 86_400 } : {}
  await at(scene, owner.person).client.bans.create(spaceId, author.person.id, body)
  Object.assign(author, { isMember: false, isBanned: true, nickname: undefined })
  if (!isErased) return
  await until(async () => (await countMessages(scene, author)) === 0, 'the job deletes the messages')
  const lost = model.said.filter((said) => said.author === author)
  goodbye(scene, ...lost.slice(-1).flatMap((said) => ownAddresses(scene, said)))
  model.said = model.said.filter((said) => !lost.includes(said))
}

async function countMessages({ servers: [server], spaceId }: WebScene, { person }: Actor): Promise<number> {
  const [row] = await server.deps.database.execute<{ count: number }>(sql`
    select count(*)::integer as count from messages
    where tenant_id = ${spaceId} and author_id = ${person.id} and type = 0`)
  return row?.count ?? 0
}

/** Deletes an account now and then. A new user joins in its place. */
export async function deleteAccount({ scene, author }: Turn): Promise<void> {
  const { model, operator, owner, random, servers, count } = scene
  if (author === owner || random.below(4) > 0) return
  await at(scene, operator).client.api(Administration).deleteUser(author.person.id)
  Object.assign(author, { isDeleted: true, isMember: false, nickname: undefined })
  model.cast = model.cast.filter((one) => one !== author)
  const newcomer = await newActor(servers, model, `person${count}n`)
  model.cast.push(newcomer)
  await letJoin(scene, newcomer)
}
