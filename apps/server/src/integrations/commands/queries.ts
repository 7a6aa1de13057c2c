import type { ApplicationCommand, AvailableCommand } from '@foyer/protocol/commands'
import { MAX_LISTED_COMMANDS } from '@foyer/protocol/limits'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'
import type { NewCommand } from './checks.ts'

const columns = fragment`id, application_id, name, description, options`

/** Lists the application's commands in their given order. */
export async function listCommands(database: Queryable, appId: string): Promise<ApplicationCommand[]> {
  return database.query<ApplicationCommand>(sql`
    select ${columns}
    from application_commands where application_id = ${appId}
    order by position, id`)
}

/** @param named the command's id or name. No name is long enough to look like an id */
export async function findCommand(
  database: Queryable,
  appId: string,
  named: string,
): Promise<ApplicationCommand | undefined> {
  const id = WRITTEN_UUID.test(named) ? named : null
  const [command] = await database.query<ApplicationCommand>(sql`
    select ${columns}
    from application_commands where application_id = ${appId} and (id = ${id}::uuid or name = ${named})`)
  return command
}

/** Lists the commands of the space's bots, by name. */
export async function listCommandsOfSpace(database: Queryable, spaceId: string): Promise<AvailableCommand[]> {
  const commands = await database.query<ApplicationCommand>(sql`
    select ${columns}
    from application_commands join members on user_id = application_id
    where space_id = ${spaceId}
    order by name, application_id limit ${MAX_LISTED_COMMANDS}`)
  return withBots(database, commands)
}

/** Lists the commands of the bots among the users, by name. */
export async function listCommandsOf(
  database: Queryable,
  userIds: readonly string[],
): Promise<AvailableCommand[]> {
  const commands = await database.query<ApplicationCommand>(sql`
    select ${columns}
    from application_commands where application_id = any(${userIds})
    order by name, application_id limit ${MAX_LISTED_COMMANDS}`)
  return withBots(database, commands)
}

/**
 * Locks the application's commands until the transaction ends.
 * @returns the owner's id; undefined if the application was deleted
 */
export async function holdApplication(transaction: Queryable, appId: string): Promise<string | undefined> {
  const [row] = await transaction.query<{ owner_id: string }>(
    sql`select owner_id from applications where id = ${appId} for no key update`,
  )
  return row?.owner_id
}

export interface StoredCommand extends NewCommand {
  id: string
}

/** Replaces the application's commands. Commands whose names stay the same keep their ids. */
export async function replaceCommands(
  transaction: Queryable,
  appId: string,
  commands: readonly StoredCommand[],
): Promise<void> {
  const names = commands.map(({ name }) => name)
  await transaction.query(sql`
    delete from application_commands where application_id = ${appId} and name <> all(${names})`)
  await transaction.query(sql`
    insert into application_commands as known (application_id, id, name, description, options, position)
    select ${appId}, id, name, description, options, place
    from unnest(
      ${commands.map(({ id }) => id)}::uuid[], ${names}::text[],
      ${commands.map(({ description }) => description)}::text[],
      ${commands.map(({ options }) => JSON.stringify(options))}::jsonb[]
    ) with ordinality as given (id, name, description, options, place)
    on conflict (application_id, name) do update
      set description = excluded.description, options = excluded.options, position = excluded.position`)
}

/** Returns the ids of the bot's next spaces, in ascending order. */
export async function listNextSpaceIds(
  database: Queryable,
  botId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select space_id as id from members where user_id = ${botId} and space_id > ${after}
    order by space_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Returns the ids of the bot's next conversations, in ascending order. */
export async function listNextConversationIds(
  database: Queryable,
  botId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select conversation_id as id from conversation_members
    where user_id = ${botId} and conversation_id > ${after}
    order by conversation_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

async function withBots(
  database: Queryable,
  commands: readonly ApplicationCommand[],
): Promise<AvailableCommand[]> {
  const ids = [...new Set(commands.map((command) => command.application_id))]
  const bots = new Map((await findUsers(database, ids)).map((bot) => [bot.id, bot]))
  return commands.flatMap((command) => {
    const bot = bots.get(command.application_id)
    return bot === undefined ? [] : [{ ...command, bot }]
  })
}
