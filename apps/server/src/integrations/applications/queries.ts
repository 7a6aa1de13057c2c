import type { Application, UpdateApplicationBody } from '@foyer/protocol/applications'
import { foldName } from '@foyer/protocol/words'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

type ApplicationRow = Omit<Application, 'bot'>

/** Lists the owner's applications, oldest first. */
export async function listApplications(database: Queryable, ownerId: string): Promise<Application[]> {
  const rows = await database.query<ApplicationRow>(sql`
    select id, owner_id, name, description, icon, bot_public, created_at
    from applications where owner_id = ${ownerId}
    order by created_at, id`)
  return withBots(database, rows)
}

export async function findApplication(database: Queryable, appId: string): Promise<Application | undefined> {
  const rows = await database.query<ApplicationRow>(sql`
    select id, owner_id, name, description, icon, bot_public, created_at
    from applications where id = ${appId}`)
  const [application] = await withBots(database, rows)
  return application
}

export async function countApplications(database: Queryable, ownerId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) from applications where owner_id = ${ownerId}`,
  )
  return row?.count ?? 0
}

export async function hasApplications(database: Queryable, ownerId: string): Promise<boolean> {
  return (await countApplications(database, ownerId)) > 0
}

export interface NewBot {
  id: string
  username: string
  alias: string
}

/** @returns false for a taken username */
export async function insertBot(database: Queryable, { id, username, alias }: NewBot): Promise<boolean> {
  const rows = await database.query(sql`
    insert into users (id, username, alias, alias_key, is_bot)
    values (${id}, ${username}, ${alias}, ${foldName(alias)}, true)
    on conflict (lower(username)) do nothing
    returning id`)
  return rows.length > 0
}

export interface NewApplication {
  id: string
  ownerId: string
  name: string
  description: string | null
  isPublic: boolean
}

export async function insertApplication(database: Queryable, given: NewApplication): Promise<void> {
  const { id, ownerId, name, description, isPublic } = given
  await database.query(sql`
    insert into applications (id, owner_id, name, description, bot_public)
    values (${id}, ${ownerId}, ${name}, ${description}, ${isPublic})`)
}

/** Saves the given fields. Omitted fields keep their value. */
export async function updateApplicationRow(
  database: Queryable,
  appId: string,
  { name, description, bot_public }: UpdateApplicationBody,
): Promise<boolean> {
  const rows = await database.query(sql`
    update applications set
      name = coalesce(${name}, name),
      description = case when ${description !== undefined}::boolean then ${description || null} else description end,
      bot_public = coalesce(${bot_public}, bot_public)
    where id = ${appId}
    returning id`)
  return rows.length > 0
}

/** Locks the application against deletion. @returns false if it was deleted */
export async function lockApplication(transaction: Queryable, appId: string): Promise<boolean> {
  const rows = await transaction.query(sql`select from applications where id = ${appId} for share`)
  return rows.length > 0
}

export async function deleteApplicationRow(database: Queryable, appId: string): Promise<boolean> {
  const rows = await database.query(sql`delete from applications where id = ${appId} returning id`)
  return rows.length > 0
}

async function withBots(database: Queryable, rows: readonly ApplicationRow[]): Promise<Application[]> {
  const users = await findUsers(
    database,
    rows.map((row) => row.id),
  )
  const userById = new Map(users.map((user) => [user.id, user]))
  return rows.flatMap((row) => {
    const bot = userById.get(row.id)
    return bot ? [{ ...row, bot }] : []
  })
}
