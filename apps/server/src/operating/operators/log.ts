import { MAX_PAGE } from '@foyer/protocol/limits'
import type {
  OperatorAction,
  OperatorLogEntry,
  OperatorLogPage,
  OperatorLogQuery,
  OperatorTarget,
} from '@foyer/protocol/operators'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'
import { findUsers } from '#src/people/users/queries.ts'
import type { OperatorAccess } from './access.ts'

/** One action, for the log. */
export interface Operation {
  readonly action: OperatorAction
  readonly type: OperatorTarget
  /** Id of the target. Omitted if the target is the server itself. */
  readonly id?: string
  readonly name?: string | null
  readonly details?: Readonly<Record<string, unknown>>
  /** Reason from the request's body. A reason in the request's header takes precedence. */
  readonly reason?: string | null | undefined
}

/** Returns the reason of an action, from the request's header or else from its body. */
export function reasonOf(
  { reason }: Pick<OperatorAccess, 'reason'>,
  given: string | null = null,
): string | null {
  return reason ?? (given || null)
}

/** Writes the entry of an action, in the action's own transaction. */
export async function logOperation(
  transaction: Queryable,
  access: Pick<OperatorAccess, 'actorId' | 'reason'>,
  { action, type, id, name, details = {}, reason }: Operation,
): Promise<void> {
  await transaction.query(sql`
    insert into operator_log (id, actor_id, action, target_type, target_id, target_name, details, reason)
    values (${newId()}, ${access.actorId}, ${action}, ${type}, ${id ?? null}, ${name ?? null}, ${JSON.stringify(details)},
      ${reasonOf(access, reason)})`)
}

/** Removes the name of a user whose account is deleted. The id stays. */
export async function forgetNameInLog(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`
    update operator_log set target_name = null where target_id = ${userId} and target_name is not null`)
}

const LOG_DAYS = 365

/** Deletes entries of more than a year ago. */
export async function sweepOperatorLog(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from operator_log where ctid = any(array(
        select ctid from operator_log where created_at < now() - make_interval(days => ${LOG_DAYS})
        order by created_at limit ${limit}
        for update skip locked))
      returning id`),
  )
}

const columns = fragment`
  id, actor_id, action, target_type, target_id, target_name, details, reason, created_at`

/** Returns a page of the log, newest first. */
export async function readOperatorLog(
  database: Queryable,
  { actor_id, action, target_id, before_id, limit = MAX_PAGE }: OperatorLogQuery,
): Promise<OperatorLogPage> {
  const entries = await database.query<OperatorLogEntry>(sql`
    select ${columns} from operator_log
    where (${actor_id}::uuid is null or actor_id = ${actor_id}::uuid)
      and (${action}::text is null or action = ${action}::text)
      and (${target_id}::uuid is null or target_id = ${target_id}::uuid)
      and (${before_id}::uuid is null or id < ${before_id}::uuid)
    order by id desc limit ${limit}`)
  const ids = entries.flatMap(({ actor_id: actorId, target_type, target_id: targetId }) => [
    ...(actorId === null ? [] : [actorId]),
    ...(target_type === 'user' && targetId !== null ? [targetId] : []),
  ])
  return { entries, users: await findUsers(database, [...new Set(ids)]) }
}
