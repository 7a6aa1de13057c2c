import type { AutomodHit, AutomodHitQuery, AutomodRule } from '@foyer/protocol/automod'
import { GREATEST_ID } from '@foyer/protocol/ids'
import { AUTOMOD_DAYS, MAX_PAGE } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database/database.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { fragment, type Query, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

const DAY_MS = 86_400_000

const ruleColumns = fragment`
  id, space_id, name, mode, trigger, action, message, alert_room_id, timeout_minutes, exempt_role_ids, exempt_room_ids,
  created_at, updated_at`

/** Returns the rules of the space in the order of their creation. */
export async function listRules(database: Queryable, spaceId: string): Promise<AutomodRule[]> {
  return database.query<AutomodRule>(sql`
    select ${ruleColumns} from automod_rules where space_id = ${spaceId} order by id`)
}

/** Returns the codes of the space's working invites. */
export async function listInviteCodes(database: Queryable, spaceId: string): Promise<string[]> {
  const rows = await database.query<{ code: string }>(sql`
    select code from invites where space_id = ${spaceId} and (expires_at is null or expires_at > now())`)
  return rows.map(({ code }) => code)
}

/** Returns the number of rules, and of characters in all their lists. */
export async function measureRules(
  database: Queryable,
  spaceId: string,
): Promise<{ rules: number; characters: number }> {
  const [sums] = await database.query<{ rules: number; characters: number }>(sql`
    select count(*)::integer as rules, coalesce(sum(length(trigger::text)), 0)::integer as characters
    from automod_rules where space_id = ${spaceId}`)
  return sums ?? { rules: 0, characters: 0 }
}

/** Returns a value that changes with every change of the space's rules: the ids of the transactions that wrote them. */
export async function findRulesVersion(database: Queryable, spaceId: string): Promise<string> {
  const [row] = await database.query<{ version: string }>(sql`
    select coalesce(string_agg(xmin::text, ' ' order by id), '') as version
    from automod_rules where space_id = ${spaceId}`)
  return row?.version ?? ''
}

export async function findRule(
  database: Queryable,
  spaceId: string,
  id: string,
): Promise<AutomodRule | undefined> {
  const [rule] = await database.query<AutomodRule>(sql`
    select ${ruleColumns} from automod_rules where space_id = ${spaceId} and id = ${id}`)
  return rule
}

/** Inserts a rule, or replaces the one with the same id. */
export async function saveRule(
  transaction: Queryable,
  rule: Omit<AutomodRule, 'created_at' | 'updated_at'>,
): Promise<AutomodRule> {
  const { id, space_id, name, mode, action, message, alert_room_id, timeout_minutes } = rule
  const [saved] = await transaction.query<AutomodRule>(sql`
    insert into automod_rules (space_id, id, name, mode, trigger, action, message, alert_room_id, timeout_minutes,
      exempt_role_ids, exempt_room_ids)
    values (${space_id}, ${id}, ${name}, ${mode}, ${JSON.stringify(rule.trigger)}, ${action}, ${message},
      ${alert_room_id}, ${timeout_minutes}, ${rule.exempt_role_ids}, ${rule.exempt_room_ids})
    on conflict (space_id, id) do update set name = excluded.name, mode = excluded.mode, trigger = excluded.trigger,
      action = excluded.action, message = excluded.message, alert_room_id = excluded.alert_room_id,
      timeout_minutes = excluded.timeout_minutes, exempt_role_ids = excluded.exempt_role_ids,
      exempt_room_ids = excluded.exempt_room_ids, updated_at = now()
    returning ${ruleColumns}`)
  if (saved === undefined) throw new Error('a rule that was just saved cannot be read')
  return saved
}

export async function deleteRuleRow(transaction: Queryable, spaceId: string, id: string): Promise<void> {
  await transaction.query(sql`delete from automod_rules where space_id = ${spaceId} and id = ${id}`)
}

/** Inserts hits of several spaces. */
export async function insertHits(database: Queryable, hits: readonly AutomodHit[]): Promise<void> {
  const column = <Field extends keyof AutomodHit>(field: Field) => hits.map((hit) => hit[field])
  await database.query(sql`
    insert into automod_hits (space_id, id, rule_id, user_id, room_id, source, mode, text, excerpt)
    select * from unnest(${column('space_id')}::uuid[], ${column('id')}::uuid[], ${column('rule_id')}::uuid[],
      ${column('user_id')}::uuid[], ${column('room_id')}::uuid[], ${column('source')}::text[],
      ${column('mode')}::text[], ${column('text')}::text[], ${column('excerpt')}::text[])`)
}

/** Returns the hits in the rooms, and those outside of rooms, newest first. */
export async function listHits(
  database: Queryable,
  spaceId: string,
  roomIds: readonly string[],
  query: AutomodHitQuery,
): Promise<AutomodHit[]> {
  const rows = await database.query<Omit<AutomodHit, 'created_at'>>(pageOfHits(spaceId, roomIds, query))
  return rows.map((row) => ({ ...row, created_at: new Date(idTime(row.id)).toISOString() }))
}

const ofRule = fragment`and rule_id = of_rule_id`
const ofAnyRule = fragment``

/**
 * Finds the rooms with the newest hits, then the newest hits of each. Uses only indexes, so hits in other rooms, of
 * which there may be any number, are not read.
 */
export function pageOfHits(
  spaceId: string,
  roomIds: readonly string[],
  { rule_id, before_id = GREATEST_ID, limit = MAX_PAGE }: AutomodHitQuery,
): Query {
  const from = firstIdAt(Date.now() - AUTOMOD_DAYS * DAY_MS)
  const rule = rule_id === undefined ? ofAnyRule : ofRule
  return sql`
    with wanted as materialized (
      select ${spaceId}::uuid as of_space_id, ${from}::uuid as from_id, ${before_id}::uuid as before_id,
        ${rule_id ?? null}::uuid as of_rule_id, ${limit}::integer as most
    ), newest as materialized (
      select of_room_id
      from wanted, unnest(${roomIds}::uuid[]) as room (of_room_id), lateral (
        select id from automod_hits
        where space_id = of_space_id and room_id = of_room_id and id >= from_id and id < before_id ${rule}
        order by id desc limit 1
      ) as hit
      order by id desc limit (select most from wanted)
    ), page as materialized (
      select id from wanted, newest, lateral (
        select id from automod_hits
        where space_id = of_space_id and room_id = of_room_id and id >= from_id and id < before_id ${rule}
        order by id desc limit most
      ) as in_room
      union all
      select id from wanted, lateral (
        select id from automod_hits
        where space_id = of_space_id and room_id is null and id >= from_id and id < before_id ${rule}
        order by id desc limit most
      ) as outside
      order by id desc limit (select most from wanted)
    )
    select space_id, id, rule_id, user_id, room_id, source, mode, text, excerpt from automod_hits
    where space_id = ${spaceId} and id in (select id from page)
    order by id desc`
}

/** True for rows of spaces without a legal hold. */
const mayBeSwept = fragment`space_id not in (select id from spaces where held_at is not null)`

/** Deletes expired hits and held messages. */
export async function sweepAutomod(database: Database): Promise<void> {
  const end = firstIdAt(Date.now() - AUTOMOD_DAYS * DAY_MS)
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from automod_hits where ctid = any(array(
        select ctid from automod_hits where id < ${end} and ${mayBeSwept} limit ${limit} for update skip locked))
      returning id`),
  )
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from held_messages where ctid = any(array(
        select ctid from held_messages where id < ${end} and ${mayBeSwept} limit ${limit} for update skip locked))
      returning id`),
  )
}
