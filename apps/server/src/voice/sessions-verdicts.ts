import { has, Permission } from '@foyer/protocol/permissions'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import { isConversation } from '#src/channels/place.ts'
import type { ConversationFacts } from '#src/conversations/facts.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { permissionsInRoom, type Snapshots } from '#src/spaces/snapshots.ts'
import type { MediaRights, VoiceSession } from './engine.ts'
import {
  type ImposedVoice,
  listImposedVoice,
  listSessionFacts,
  type SessionFacts,
} from './sessions-queries.ts'

/** What is to become of a session. One that is gone has no state there any more: whoever took it has told of it. */
export type Verdict =
  | { readonly kind: 'stays'; readonly rights: MediaRights }
  | { readonly kind: 'ends'; readonly reason: VoiceEndReason }
  | { readonly kind: 'gone' }

export interface JudgingDeps {
  database: Queryable
  snapshots: Snapshots
  conversationFacts: ConversationFacts
}

const MAY_BE_THERE = Permission.ViewChannels | Permission.JoinVoice

/** What the sessions may, by all that is committed now. Two queries a space, however many they are. */
export async function judge(
  deps: JudgingDeps,
  sessions: readonly VoiceSession[],
): Promise<Map<VoiceSession, Verdict>> {
  const byTenant = Map.groupBy(sessions, ({ place }) => place.tenantId)
  const verdicts = await Promise.all([...byTenant].map(([id, group]) => judgeTenant(deps, id, group)))
  return new Map(verdicts.flat())
}

async function judgeTenant(
  deps: JudgingDeps,
  tenantId: string,
  sessions: readonly VoiceSession[],
): Promise<(readonly [VoiceSession, Verdict])[]> {
  const [facts, imposed] = await Promise.all([
    listSessionFacts(
      deps.database,
      sessions.map(({ id }) => id),
    ),
    listImposedVoice(
      deps.database,
      tenantId,
      sessions.map(({ userId }) => userId),
    ),
  ])
  const factsOf = new Map(facts.map((found) => [found.session_id, found]))
  const imposedOn = new Map(imposed.map((found) => [found.user_id, found]))
  const judgeOne = async (session: VoiceSession) =>
    [session, await verdictOn(deps, session, factsOf.get(session.id), imposedOn.get(session.userId))] as const
  return Promise.all(sessions.map(judgeOne))
}

async function verdictOn(
  deps: JudgingDeps,
  session: VoiceSession,
  facts: SessionFacts | undefined,
  imposed: ImposedVoice | undefined,
): Promise<Verdict> {
  // Moved to another place, it has media of its own there.
  if (facts?.channel_id !== session.place.channelId) return { kind: 'gone' }
  if (!facts.is_logged_in) return { kind: 'ends', reason: 'session_ended' }
  const standing = isConversation(session.place)
    ? await standingInConversation(deps, session)
    : await standingInRoom(deps, session)
  if (typeof standing === 'string') return { kind: 'ends', reason: standing }
  const isDeaf = facts.self_deaf || imposed?.voice_deaf === true
  const isMute = facts.self_mute || imposed?.voice_mute === true
  // Who hears nobody is not heard either: else they would talk into others without knowing.
  return { kind: 'stays', rights: { canSpeak: standing.maySpeak && !isMute && !isDeaf, canHear: !isDeaf } }
}

type Standing = { readonly maySpeak: boolean } | VoiceEndReason

async function standingInRoom(
  { snapshots }: JudgingDeps,
  { userId, place: { tenantId, channelId } }: VoiceSession,
): Promise<Standing> {
  const { snapshot, member } = await snapshots.findMembership(tenantId, userId)
  if (!snapshot?.rooms.has(channelId)) return 'room_deleted'
  if (member === undefined) return 'permission_lost'
  const permissions = permissionsInRoom(snapshot, member, channelId)
  if (!has(permissions, MAY_BE_THERE)) return 'permission_lost'
  return { maySpeak: has(permissions, Permission.SpeakInVoice) }
}

async function standingInConversation(
  { conversationFacts }: JudgingDeps,
  { userId, place: { channelId } }: VoiceSession,
): Promise<Standing> {
  const conversation = await conversationFacts.find(channelId)
  if (!conversation?.memberIds.includes(userId)) return 'permission_lost'
  return (await conversationFacts.isOpenToTalk(conversation)) ? { maySpeak: true } : 'permission_lost'
}
