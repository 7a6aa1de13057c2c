import type { AutomodRule, CreateAutomodRuleBody, UpdateAutomodRuleBody } from '@foyer/protocol/automod'
import { MAX_AUTOMOD_CHARACTERS, MAX_AUTOMOD_RULES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type ChargeDeps, chargeBudget } from '#src/kernel/limits/rate-limits.ts'
import { budgetOf } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { problemOf } from '#src/moderation/screening/matching/trigger-problems.ts'
import { deleteRuleRow, findRule, measureRules, saveRule } from '#src/moderation/screening/queries.ts'
import { accessRoomIn, type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'

interface Deps extends ChargeDeps {
  database: Database
}

/**
 * Characters of a space's rules that count as one change for the rate limit: a space with the maximum of characters can
 * change its rules five times a minute.
 */
const CHARACTERS_PER_CHANGE = 500

/**
 * Creates a rule, in test mode unless the request says otherwise.
 * @throws ApiError 400 at the limit of rules, for an invalid trigger, and for roles and rooms of other spaces
 */
export async function createRule(
  deps: Deps,
  access: SpaceAccess,
  body: CreateAutomodRuleBody,
): Promise<AutomodRule> {
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'ManageAutomod')
    const { rules } = await measureRules(transaction, held.spaceId)
    if (rules >= MAX_AUTOMOD_RULES) throw new ApiError('too_many_automod_rules')
    const { name, trigger } = body
    const rule = await save(transaction, held, {
      id: newId(),
      space_id: held.spaceId,
      name,
      trigger,
      mode: body.mode ?? 'test',
      action: body.action ?? 'refuse',
      message: body.message ?? null,
      alert_room_id: body.alert_room_id ?? null,
      timeout_minutes: body.timeout_minutes ?? null,
      exempt_role_ids: body.exempt_role_ids ?? [],
      exempt_room_ids: body.exempt_room_ids ?? [],
    })
    await chargeRules(deps, transaction, held)
    await record(transaction, held, 'automod_rule_create', { ...targetOf(rule), after: rule })
    return rule
  })
}

/** @throws ApiError 404 for a rule of another space, and with the errors of `createRule` */
export async function updateRule(
  deps: Deps,
  access: SpaceAccess,
  ruleId: string,
  changes: UpdateAutomodRuleBody,
): Promise<AutomodRule> {
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'ManageAutomod')
    const before = await accessRule(transaction, held, ruleId)
    const rule = await save(transaction, held, { ...before, ...changes }, before)
    await chargeRules(deps, transaction, held)
    await record(transaction, held, 'automod_rule_update', { ...targetOf(rule), before, after: rule })
    return rule
  })
}

/**
 * Deletes the rule. Messages that it holds still wait for a moderator.
 * @throws ApiError 404 for a rule of another space
 */
export async function deleteRule(
  { database }: Pick<Deps, 'database'>,
  access: SpaceAccess,
  ruleId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'ManageAutomod')
    const before = await accessRule(transaction, held, ruleId)
    await deleteRuleRow(transaction, held.spaceId, ruleId)
    publishRules(transaction, held.spaceId)
    await record(transaction, held, 'automod_rule_delete', { ...targetOf(before), before })
  })
}

/** @throws ApiError 404 for a rule of another space */
export async function accessRule(
  database: Queryable,
  { spaceId }: SpaceAccess,
  ruleId: string,
): Promise<AutomodRule> {
  const rule = await findRule(database, spaceId, ruleId)
  if (rule === undefined) throw new ApiError('unknown_automod_rule')
  return rule
}

/** @throws ApiError 400 for an invalid trigger */
export function checkTrigger(trigger: AutomodRule['trigger']): void {
  const problem = problemOf(trigger)
  if (problem !== undefined) throw new ApiError('invalid_request', problem)
}

/**
 * Charges a change by the size of all rules: each process compiles the space's rules again, which takes a second for
 * the largest.
 */
async function chargeRules(
  deps: Deps,
  transaction: Transaction,
  { spaceId, caller }: HeldSpace,
): Promise<void> {
  const { characters } = await measureRules(transaction, spaceId)
  if (characters > MAX_AUTOMOD_CHARACTERS) throw new ApiError('too_large_automod_rules')
  const cost = characters / CHARACTERS_PER_CHANGE
  chargeBudget(deps, 'structureChanges', { budget: budgetOf(caller), cost })
}

async function save(
  transaction: Transaction,
  held: HeldSpace,
  rule: Parameters<typeof saveRule>[1],
  before?: AutomodRule,
): Promise<AutomodRule> {
  checkTrigger(rule.trigger)
  if (rule.alert_room_id !== (before?.alert_room_id ?? null)) checkAlertRoom(held, rule.alert_room_id)
  const saved = await saveRule(transaction, rule)
  publishRules(transaction, held.spaceId)
  return saved
}

/** @throws ApiError 400 for a forum or category, 404 for an unknown room, 403 if the caller may not write in the room */
function checkAlertRoom(held: HeldSpace, roomId: string | null): void {
  if (roomId === null) return
  const { room } = accessRoomIn(held, roomId, Permission.SendMessages)
  if (room.type === RoomType.Forum || room.type === RoomType.Category)
    throw new ApiError('invalid_request', 'alert_room_id must be a room that takes messages')
}

/** Makes all processes drop their cached rules. */
function publishRules(transaction: Transaction, spaceId: string): void {
  transaction.publish(event(topicOf.space(spaceId), 'AUTOMOD_RULES_UPDATE', { space_id: spaceId }))
}

function targetOf({ id, name }: Pick<AutomodRule, 'id' | 'name'>) {
  return { type: 'automod_rule', id, name } as const
}
