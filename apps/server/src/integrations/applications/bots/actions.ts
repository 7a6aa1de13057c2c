import type { Member } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import { findApplication } from '#src/integrations/applications/queries.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { screenJoining } from '#src/moderation/screening/names.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { addMember, removeMember } from '#src/spaces/actions/spaces.ts'
import { isBanned } from '#src/spaces/membership.ts'
import { listMemberships } from '#src/spaces/queries.ts'

type Deps = ScreeningDeps

/**
 * Adds a bot to the space. Does nothing for a bot that is already a member.
 * @throws ApiError 404 for a user that is not a bot, 403 for a bot that is banned or not public, or whose name a rule refuses
 */
export async function addBot(deps: Deps, access: SpaceAccess, botUserId: string): Promise<Member> {
  await screenBot(deps, access, botUserId)
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, Permission.ManageBots)
    const { spaceId } = held
    const application = await findApplication(transaction, botUserId)
    if (application === undefined) throw new ApiError('unknown_bot')
    if (!application.bot_public) throw new ApiError('bot_not_public')
    if (await isBanned(transaction, spaceId, botUserId)) throw new ApiError('bot_banned')
    const isNew = await addMember(transaction, spaceId, application.bot)
    const [member] = await listMemberships(transaction, botUserId, [spaceId])
    // The bot was deleted before it could become a member.
    if (member === undefined) throw new ApiError('unknown_bot')
    if (isNew) await record(transaction, held, 'bot_add', { type: 'user', id: botUserId })
    return member
  })
}

/** Checks the names of a bot that is not a member yet. */
async function screenBot(deps: Deps, { spaceId }: SpaceAccess, botUserId: string): Promise<void> {
  if (!(await deps.screening.hasRules(spaceId))) return
  const known = await findApplication(deps.database, botUserId)
  const [there] = await listMemberships(deps.database, botUserId, [spaceId])
  if (known?.bot_public && there === undefined) await screenJoining(deps, spaceId, known.bot)
}

/** @throws ApiError 404 for a user that is not a member or not a bot: people are kicked instead */
export async function removeBot(
  { database }: Pick<Deps, 'database'>,
  access: SpaceAccess,
  botUserId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, Permission.ManageBots)
    const [user] = await findUsers(transaction, [botUserId])
    const wasMember = user?.is_bot === true && (await removeMember(transaction, held.spaceId, botUserId))
    if (!wasMember) throw new ApiError('unknown_bot')
    await record(transaction, held, 'bot_remove', { type: 'user', id: botUserId })
  })
}
