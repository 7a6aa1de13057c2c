import {
  DEFAULT_CONVERSATION_LEVEL,
  DEFAULT_SPACE_LEVEL,
  type NotificationLevel,
  notificationLevelOf,
} from '@foyer/protocol/notifications'
import { isConversation, roomOf } from '#src/channels/place.ts'
import type { ConversationFacts } from '#src/conversations/facts.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import type { Presences } from '#src/people/presence/presences.ts'
import { listChosenStatuses } from '#src/people/presence/queries.ts'
import { type Snapshots, viewOf } from '#src/spaces/snapshots.ts'
import { chooseModerators, listModerators, type Raid } from './raids.ts'
import {
  type ConversationListener,
  type ListenerRow,
  listConcerned,
  listConversationListeners,
  listRoomListeners,
  type UserPage,
} from './recipient-queries.ts'
import type { Subject } from './subjects.ts'
import { listSubscribed } from './subscription-queries.ts'
import { listFollowers, listFollowing } from './thread-queries.ts'

export interface RecipientDeps {
  database: Database
  snapshots: Snapshots
  conversationFacts: ConversationFacts
  presences: Presences
}

/** A user to notify. */
export interface Recipient {
  readonly userId: string
  readonly isMentioned: boolean
  /** Returns true for rooms of the space whose names the user may see. */
  readonly mayView: (roomId: string) => boolean
}

/**
 * Lists a page of users with subscriptions whom the subject may concern, by id. A full page may be followed by another.
 */
export async function listPage(deps: RecipientDeps, subject: Subject, page: UserPage): Promise<string[]> {
  const { place, authorId } = subject
  if (subject.type === 'raid') return listModerators(deps, subject, page)
  if (subject.type === 'call' || isConversation(place)) {
    const row = await deps.conversationFacts.find(place.channelId)
    const others = (row?.memberIds ?? []).filter((id) => id !== authorId && id > page.after)
    return listSubscribed(deps.database, others)
  }
  // A thread notifies only its followers, even for mentions of roles and @everyone.
  if (place.parentId !== undefined) return listFollowers(deps.database, place, { ...page, authorId })
  const snapshot = await deps.snapshots.find(place.tenantId)
  const { mention_ids, mention_role_ids, mention_everyone: everyone } = subject.row
  const categoryId = snapshot?.rooms.get(place.channelId)?.parent_id
  const chain = [place.channelId, ...(categoryId ? [categoryId] : []), place.tenantId]
  const naming = { authorId, chain, userIds: mention_ids ?? [], roleIds: mention_role_ids ?? [], everyone }
  return listConcerned(deps.database, place.tenantId, naming, page)
}

/**
 * Chooses the users to notify now: those who may see the subject, want notifications, have not read it, and are not at a
 * device. Repeated for each attempt to send.
 */
export async function chooseRecipients(
  deps: RecipientDeps,
  subject: Subject,
  userIds: readonly string[],
): Promise<Recipient[]> {
  const wanting = await chooseWanting(deps, subject, userIds)
  const absent = await chooseAbsent(
    deps,
    wanting.map(({ userId }) => userId),
  )
  return wanting.filter(({ userId }) => absent.has(userId))
}

async function chooseWanting(
  deps: RecipientDeps,
  subject: Subject,
  userIds: readonly string[],
): Promise<Recipient[]> {
  if (subject.type === 'raid') {
    const moderators = await chooseModerators(deps, subject, userIds)
    return moderators.map((userId) => ({ userId, isMentioned: true, mayView: () => false }))
  }
  if (subject.place.parentId !== undefined) return ofThread(deps, subject, userIds)
  return isConversation(subject.place)
    ? ofConversation(deps, subject, userIds)
    : ofRoom(deps, subject, userIds)
}

/** A subject that a member may have read. */
type Said = Exclude<Subject, Raid>

async function ofRoom(
  { database, snapshots }: RecipientDeps,
  subject: Said,
  userIds: readonly string[],
): Promise<Recipient[]> {
  const { place, authorId } = subject
  const snapshot = await snapshots.find(place.tenantId)
  const room = snapshot?.rooms.get(place.channelId)
  if (snapshot === undefined || room === undefined || subject.type !== 'message') return []
  const categoryId = room.parent_id
  const rows = await listRoomListeners(database, place, { authorId, categoryId, userIds })
  return rows.flatMap((row) => {
    const mayView = viewOf(snapshot, row)
    const isMentioned = mentions(subject.row, row.user_id, row.roles)
    const isTold = isUnread(subject, row) && wants(roomLevel(row), isMentioned)
    return isTold && mayView(room.id) ? [{ userId: row.user_id, isMentioned, mayView }] : []
  })
}

async function ofThread(
  { database, snapshots }: RecipientDeps,
  subject: Said,
  userIds: readonly string[],
): Promise<Recipient[]> {
  const { place, authorId } = subject
  const snapshot = await snapshots.find(place.tenantId)
  const room = snapshot?.rooms.get(roomOf(place))
  if (snapshot === undefined || room === undefined || subject.type !== 'message') return []
  const chain = [room.id, ...(room.parent_id === null ? [] : [room.parent_id]), place.tenantId]
  const rows = await listFollowing(database, place, { authorId, chain, userIds })
  return rows.flatMap((row) => {
    const mayView = viewOf(snapshot, row)
    const isMentioned = mentions(subject.row, row.user_id, row.roles)
    const level = row.level === 'muted' || row.is_muted ? 'none' : row.level
    const isTold = isUnread(subject, row) && wants(level, isMentioned)
    return isTold && mayView(room.id) ? [{ userId: row.user_id, isMentioned, mayView }] : []
  })
}

async function ofConversation(
  { database }: RecipientDeps,
  subject: Said,
  userIds: readonly string[],
): Promise<Recipient[]> {
  const { place, authorId } = subject
  const rows = await listConversationListeners(database, place.channelId, { authorId, userIds })
  return rows.flatMap((row) => {
    const isMentioned =
      subject.type === 'call' ? subject.ringing.includes(row.user_id) : mentions(subject.row, row.user_id, [])
    const level = notificationLevelOf([own(row)], DEFAULT_CONVERSATION_LEVEL, Date.now())
    const isTold = isUnread(subject, row) && (subject.type === 'call' ? isMentioned : true)
    return isTold && wants(level, isMentioned)
      ? [{ userId: row.user_id, isMentioned, mayView: () => false }]
      : []
  })
}

function isUnread(subject: Said, { last_read_seq }: { last_read_seq: number }): boolean {
  return subject.type === 'call' || subject.row.seq > last_read_seq
}

function wants(level: NotificationLevel, isMentioned: boolean): boolean {
  return level === 'all' || (level === 'mentions' && isMentioned)
}

function mentions(row: MessageRow, userId: string, roleIds: readonly string[]): boolean {
  if (row.mention_everyone || row.mention_ids?.includes(userId)) return true
  return row.mention_role_ids?.some((id) => roleIds.includes(id)) ?? false
}

function roomLevel(row: ListenerRow): NotificationLevel {
  const category = { level: row.category_level, muted_until: row.category_muted_until }
  const space = { level: row.space_level, muted_until: row.space_muted_until }
  return notificationLevelOf([own(row), category, space], DEFAULT_SPACE_LEVEL, Date.now())
}

function own({ own_level: level, own_muted_until: muted_until }: ConversationListener) {
  return { level, muted_until }
}

/**
 * Skips users in Do Not Disturb, connected or not, and users who are online at a device, which shows the message itself.
 * Notifies invisible users, because their status does not show whether they are at a device.
 */
async function chooseAbsent(
  { database, presences }: RecipientDeps,
  userIds: readonly string[],
): Promise<Set<string>> {
  const [standings, chosen] = await Promise.all([
    presences.read(userIds),
    listChosenStatuses(database, userIds),
  ])
  const isAbsent = await Promise.all(
    userIds.map(async (userId, index) => {
      const status = standings[index]?.choice?.status ?? chosen.get(userId)?.status
      if (status === 'dnd') return false
      // A user who has just closed their last device still appears online for a moment.
      return status !== 'online' || !(await presences.isConnected(userId))
    }),
  )
  return new Set(userIds.filter((_, index) => isAbsent[index]))
}
