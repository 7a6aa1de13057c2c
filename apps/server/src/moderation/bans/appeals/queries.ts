import { LEAST_ID } from '@foyer/protocol/ids'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Appeal, BanAppeal, OwnAppeal } from '@foyer/protocol/reports'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

interface Named {
  readonly user_id: string
}

type AppealRow = Omit<Appeal, 'user'> & Named
type BanAppealRow = Omit<BanAppeal, 'user'> & Named

const columns = fragment`id, space_id, user_id, text, state, answer, created_at, decided_at`

/** @returns false if the user has appealed against their ban before */
export async function insertAppeal(
  transaction: Queryable,
  appeal: { id: string; spaceId: string; userId: string; text: string },
): Promise<boolean> {
  const inserted = await transaction.query(sql`
    insert into appeals (space_id, id, user_id, text)
    values (${appeal.spaceId}, ${appeal.id}, ${appeal.userId}, ${appeal.text})
    on conflict do nothing
    returning id`)
  return inserted.length > 0
}

/** Lists undecided appeals, oldest first, with the reasons of the bans. */
export async function listOpenAppeals(
  database: Queryable,
  spaceId: string,
  after = LEAST_ID,
): Promise<BanAppeal[]> {
  const rows = await database.query<BanAppealRow>(sql`
    select id, space_id, user_id, text, state, answer, appeals.created_at, decided_at, reason as ban_reason
    from appeals left join bans using (space_id, user_id)
    where space_id = ${spaceId} and state = 'open' and id > ${after} order by id limit ${MAX_PAGE}`)
  return withUsers(database, rows)
}

export async function findAppeal(
  database: Queryable,
  spaceId: string,
  id: string,
): Promise<Appeal | undefined> {
  const rows = await database.query<AppealRow>(sql`
    select ${columns} from appeals where space_id = ${spaceId} and id = ${id}`)
  const [appeal] = await withUsers(database, rows)
  return appeal
}

export async function findAppealOf(
  database: Queryable,
  spaceId: string,
  userId: string,
): Promise<Appeal | undefined> {
  const rows = await database.query<AppealRow>(sql`
    select ${columns} from appeals where space_id = ${spaceId} and user_id = ${userId}`)
  const [appeal] = await withUsers(database, rows)
  return appeal
}

/** Lists the newest appeals of a user, with the names of their spaces. */
export async function listOwnAppeals(database: Queryable, userId: string): Promise<OwnAppeal[]> {
  return database.query<OwnAppeal>(sql`
    select appeals.id, text, state, answer, appeals.created_at, decided_at,
      jsonb_build_object('id', spaces.id, 'name', name, 'icon', icon) as space
    from appeals join spaces on spaces.id = space_id
    where user_id = ${userId} and deleted_at is null order by appeals.id desc limit ${MAX_PAGE}`)
}

/** @returns false if it was decided before */
export async function saveAppeal(
  transaction: Queryable,
  { space_id, id }: Pick<Appeal, 'space_id' | 'id'>,
  { state, answer, decidedBy }: { state: Appeal['state']; answer: string | null; decidedBy: string },
): Promise<boolean> {
  const saved = await transaction.query(sql`
    update appeals set state = ${state}, answer = ${answer}, decided_by = ${decidedBy}, decided_at = now()
    where space_id = ${space_id} and id = ${id} and state = 'open'
    returning id`)
  return saved.length > 0
}

async function withUsers<Row extends Named>(database: Queryable, rows: readonly Row[]) {
  const users = await findUsers(
    database,
    rows.map(({ user_id }) => user_id),
  )
  const byId = new Map(users.map((user) => [user.id, user]))
  return rows.flatMap(({ user_id, ...row }) => {
    const user = byId.get(user_id)
    return user === undefined ? [] : [{ ...row, user }]
  })
}

/** Deletes all appeals of a user. Returns the spaces in which the appeal was undecided. */
export async function deleteAppealsBy(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ space_id: string; state: Appeal['state'] }>(sql`
    delete from appeals where user_id = ${userId} returning space_id, state`)
  return rows.filter(({ state }) => state === 'open').map(({ space_id }) => space_id)
}

/** Deletes the users' appeals, because their ban is new or has ended. */
export async function deleteAppealsOf(
  transaction: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<void> {
  await transaction.query(sql`delete from appeals where space_id = ${spaceId} and user_id = any(${userIds})`)
}

/** Returns true if the user is banned from the space. False for a deleted space. */
export async function mayAppeal(database: Queryable, spaceId: string, userId: string): Promise<boolean> {
  const found = await database.query(sql`
    select from bans join spaces on id = space_id
    where space_id = ${spaceId} and bans.user_id = ${userId} and deleted_at is null`)
  return found.length > 0
}
