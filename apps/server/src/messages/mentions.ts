import { MAX_MENTIONS } from '@foyer/protocol/limits'
import { type FoundMentions, findMentions, mayMention } from '@foyer/protocol/mentions'
import type { AllowedMentions } from '@foyer/protocol/messages'
import { has, Permission } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { listMentionable } from './mention-queries.ts'

/** Whom a message mentions, after all rules. */
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
  /** Whom a reply answers: mentioned without being named, unless that is not allowed. */
  repliedId?: string | undefined
}

/**
 * Whom a text mentions there: users and roles that are in the place, and everybody with ManageMessages, or in a
 * conversation. Whoever else it names stays text.
 */
export async function resolveMentions(
  { database, snapshots }: MentionDeps,
  { place, permissions }: { place: Place; permissions: number },
  { content, allowed, repliedId }: Mentioning,
): Promise<Mentions> {
  if (repliedId === undefined && !mayMention(content)) return noMentions
  const found = narrow(findMentions(content), allowed)
  const tellsReplied = repliedId !== undefined && allowed?.replied_user !== false
  const userIds = [...new Set([...(tellsReplied ? [repliedId] : []), ...found.userIds])].slice(
    0,
    MAX_MENTIONS,
  )
  const users = userIds.length === 0 ? [] : await listMentionable(database, place, userIds)
  const byId = new Map(users.map((user) => [user.id, user]))
  const isOpen = isConversation(place)
  const roles = isOpen ? undefined : (await snapshots.find(place.tenantId))?.roles
  const namesEveryone = found.everyone || found.roleIds.includes(place.tenantId)
  return {
    users: userIds.flatMap((id) => byId.get(id) ?? []),
    roleIds: found.roleIds.filter((id) => id !== place.tenantId && roles?.has(id)),
    everyone: namesEveryone && (isOpen || has(permissions, Permission.ManageMessages)),
  }
}

/** Leaves those that may be told: all where nothing is said, otherwise the kinds and the ids that are named. */
function narrow(found: FoundMentions, allowed: AllowedMentions | null | undefined): FoundMentions {
  if (allowed === null || allowed === undefined || isAboutReplyAlone(allowed)) return found
  const kinds = new Set(allowed.parse ?? [])
  const [users, roles] = [new Set(allowed.users ?? []), new Set(allowed.roles ?? [])]
  return {
    userIds: found.userIds.filter((id) => kinds.has('users') || users.has(id)),
    roleIds: found.roleIds.filter((id) => kinds.has('roles') || roles.has(id)),
    everyone: found.everyone && kinds.has('everyone'),
  }
}

function isAboutReplyAlone({ parse, users, roles, replied_user }: AllowedMentions): boolean {
  return replied_user !== undefined && replied_user !== null && (parse ?? users ?? roles ?? null) === null
}
