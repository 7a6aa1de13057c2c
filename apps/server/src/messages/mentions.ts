import { MAX_MENTIONS } from '@foyer/protocol/limits'
import { type FoundMentions, findMentions, mayMention, mayMentionEveryone } from '@foyer/protocol/mentions'
import type { AllowedMentions } from '@foyer/protocol/messages'
import type { RightFlags } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { listMentionable } from './mention-queries.ts'

/** The mentions of a message after all rules were applied. */
export interface Mentions {
  users: readonly User[]
  roleIds: readonly string[]
  everyone: boolean
}

export const noMentions: Mentions = { users: [], roleIds: [], everyone: false }

interface MentionDeps {
  database: Queryable
  snapshots: Snapshots
}

export interface Mentioning {
  content: string
  allowed?: AllowedMentions | null | undefined
  /** Author of the message replied to. The reply mentions this author, unless `allowed` forbids it. */
  repliedId?: string | undefined
}

/**
 * Resolves the mentions in a text: users and roles of the space or conversation, and @everyone for authors with that
 * permission. Other tokens stay text.
 */
export async function resolveMentions(
  { database, snapshots }: MentionDeps,
  { place, ...rights }: RightFlags & { place: Place },
  { content, allowed, repliedId }: Mentioning,
): Promise<Mentions> {
  if (repliedId === undefined && !mayMention(content)) return noMentions
  const found = narrow(findMentions(content), allowed)
  const mentionsReplied = repliedId !== undefined && allowed?.replied_user !== false
  const userIds = [...new Set([...(mentionsReplied ? [repliedId] : []), ...found.userIds])].slice(
    0,
    MAX_MENTIONS,
  )
  const users = userIds.length === 0 ? [] : await listMentionable(database, place, userIds)
  const byId = new Map(users.map((user) => [user.id, user]))
  const roles = isConversation(place) ? undefined : (await snapshots.find(place.tenantId))?.roles
  const namesEveryone = found.everyone || found.roleIds.includes(place.tenantId)
  return {
    users: userIds.flatMap((id) => byId.get(id) ?? []),
    roleIds: found.roleIds.filter((id) => id !== place.tenantId && roles?.has(id)),
    everyone: namesEveryone && mayMentionEveryone(rights),
  }
}

/** Keeps the mentions that `allowed` permits by kind or by id; all mentions if it is not given. */
function narrow(found: FoundMentions, allowed: AllowedMentions | null | undefined): FoundMentions {
  if (allowed === null || allowed === undefined || onlyConcernsReply(allowed)) return found
  const kinds = new Set(allowed.parse ?? [])
  const [users, roles] = [new Set(allowed.users ?? []), new Set(allowed.roles ?? [])]
  return {
    userIds: found.userIds.filter((id) => kinds.has('users') || users.has(id)),
    roleIds: found.roleIds.filter((id) => kinds.has('roles') || roles.has(id)),
    everyone: found.everyone && kinds.has('everyone'),
  }
}

function onlyConcernsReply({ parse, users, roles, replied_user }: AllowedMentions): boolean {
  return replied_user !== undefined && replied_user !== null && (parse ?? users ?? roles ?? null) === null
}
