import type { Conversation } from '@foyer/protocol/conversations'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import type { Person } from './people.ts'

/** Makes the users friends of each other, without friend requests. */
export async function acquaint(server: RunningServer, people: readonly Person[]): Promise<void> {
  const ids = people.map(({ id }) => id)
  await server.deps.database.execute(sql`
    insert into friendships (user_id, friend_id, since)
    select one, other, now() from unnest(${ids}::uuid[]) as one, unnest(${ids}::uuid[]) as other where one <> other
    on conflict do nothing`)
}

/** Makes two users friends, and creates a direct conversation that both of them list. */
export async function makeDirect(server: RunningServer, one: Person, other: Person): Promise<Conversation> {
  await acquaint(server, [one, other])
  await other.client.conversations.create({ recipient_ids: [one.id] })
  return one.client.conversations.create({ recipient_ids: [other.id] })
}

/** Makes the users friends, and creates a group of them. */
export async function makeGroup(
  server: RunningServer,
  owner: Person,
  others: readonly Person[],
): Promise<Conversation> {
  await acquaint(server, [owner, ...others])
  return owner.client.conversations.create({ recipient_ids: others.map(({ id }) => id), name: 'Tea' })
}

/** Sends a message to a conversation, and returns its id. */
export async function say(person: Person, conversation: string, content = 'hi'): Promise<string> {
  const { id } = await person.client.messages.create({ conversation }, { content })
  return id
}
