import type { AutomodHit, AutomodHitQuery, AutomodRule } from '@foyer/protocol/automod'
import { GREATEST_ID } from '@foyer/protocol/ids'
import { AUTOMOD_DAYS, MAX_PAGE } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database/database.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
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

/** Returns the number of rules, and of the characters of all their lists. */
export async function measureRules(
  database: Queryable,
  spaceId: string,
): Promise<{ rules: number; characters: number }> {
  const [sums] = await database.query<{ rules: number; characters: number }>(sql`
    select count(*)::integer as rules, coalesce(sum(length(trigger::text)), 0)::integer as characters
    from automod_rules where space_id = ${spaceId}`)
  return sums ?? { rules: 0, characters: 0 }
}

/** Returns a value that differs after every change of the space's rules: the transactions that wrote them. */
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
  { rule_id, before_id = GREATEST_ID, limit = MAX_PAGE }: AutomodHitQuery,
): Promise<AutomodHit[]> {
  const ruleId = rule_id ?? null
  const rows = await database.query<Omit<AutomodHit, 'created_at'>>(sql`
    select space_id, id, rule_id, user_id, room_id, source, mode, text, excerpt from automod_hits
    where space_id = ${spaceId} and id < ${before_id} and id >= ${firstIdAt(Date.now() - AUTOMOD_DAYS * DAY_MS)}
      and (${ruleId}::uuid is null or rule_id = ${ruleId})
      and (room_id is null or room_id = any(${roomIds}))
    order by id desc limit ${limit}`)
  return rows.map((row) => ({ ...row, created_at: new Date(idTime(row.id)).toISOString() }))
}

/** Deletes hits and held messages that are kept no longer. */
export async function sweepAutomod(database: Database): Promise<void> {
  const end = firstIdAt(Date.now() - AUTOMOD_DAYS * DAY_MS)
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from automod_hits where ctid = any(array(
        select ctid from automod_hits where id < ${end} limit ${limit} for update skip locked))
      returning id`),
  )
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from held_messages where ctid = any(array(
        select ctid from held_messages where id < ${end} limit ${limit} for update skip locked))
      returning id`),
  )
}
