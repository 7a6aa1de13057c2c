import { Capability, CONVERSATION_CAPABILITIES } from '@foyer/protocol/capabilities'
import { has, Permission } from '@foyer/protocol/permissions'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import { isConversation } from '#src/channels/place.ts'
import type { ConversationFacts } from '#src/conversations/facts.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { isInTimeout, rightsInRoom, type Snapshots } from '#src/spaces/snapshots.ts'
import type { MediaRights, VoiceSession } from '../engine.ts'
import { type ImposedVoice, listImposedVoice, listSessionFacts, type SessionFacts } from './queries.ts'

/**
 * The decision on a session. `gone` means that its state has ended or moved to another place, and that this has already
 * been published.
 */
export type Decision =
  | {
      readonly kind: 'stays'
      readonly rights: MediaRights
      /** The camera or screen that the user shows, but may no longer show. */
      readonly taken: ShownPictures
      /** The end of the member's timeout, in ms since 1970. The session is evaluated again then. */
      readonly timeoutEnd?: number | undefined
    }
  | { readonly kind: 'ends'; readonly reason: VoiceEndReason }
  | { readonly kind: 'gone' }

/** The video flags of a voice state: camera and screen. */
export interface ShownPictures {
  readonly self_video: boolean
  readonly self_stream: boolean
}

export interface EvaluationDeps {
  database: Queryable
  snapshots: Snapshots
  conversationFacts: ConversationFacts
}

const MAY_BE_THERE = Permission.ViewChannels | Permission.JoinVoice

/** Evaluates the sessions against the committed state, with two queries per space or conversation. */
export async function evaluate(
  deps: EvaluationDeps,
  sessions: readonly VoiceSession[],
): Promise<Map<VoiceSession, Decision>> {
  const byTenant = Map.groupBy(sessions, ({ place }) => place.tenantId)
  const decisions = await Promise.all([...byTenant].map(([id, group]) => evaluateTenant(deps, id, group)))
  return new Map(decisions.flat())
}

async function evaluateTenant(
  deps: EvaluationDeps,
  tenantId: string,
  sessions: readonly VoiceSession[],
): Promise<(readonly [VoiceSession, Decision])[]> {
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
    [
      session,
      await decisionOn(deps, session, factsOf.get(session.id), imposedOn.get(session.userId)),
    ] as const
  return Promise.all(sessions.map(judgeOne))
}

async function decisionOn(
  deps: EvaluationDeps,
  session: VoiceSession,
  facts: SessionFacts | undefined,
  imposed: ImposedVoice | undefined,
): Promise<Decision> {
  // The session has ended, or was moved to another place, where it has separate media.
  if (facts?.channel_id !== session.place.channelId) return { kind: 'gone' }
  if (!facts.is_logged_in) return { kind: 'ends', reason: 'session_ended' }
  const permissions = isConversation(session.place)
    ? await accessInConversation(deps, session)
    : await accessInRoom(deps, session)
  if (typeof permissions === 'string') return { kind: 'ends', reason: permissions }
  const isDeafened = imposed?.voice_deaf === true
  const isDeaf = facts.self_deaf || isDeafened
  const isMute = facts.self_mute || imposed?.voice_mute === true
  // Deafened users are muted, too; otherwise they would talk over others without knowing.
  const { maySpeak, timeoutEnd } = permissions
  const pictures = picturesOf(facts, permissions, imposed)
  const hearing = { canHear: !isDeaf, isSelfDeaf: facts.self_deaf && !isDeafened }
  const rights = { canSpeak: maySpeak && !isMute && !isDeaf, ...hearing, ...pictures.rights }
  return { kind: 'stays', rights, taken: pictures.taken, timeoutEnd }
}

/**
 * Returns the video rights, and the pictures to turn off. A member whom the space has muted or deafened may not show
 * video. A self-mute does not affect video.
 */
function picturesOf(
  { self_video, self_stream }: SessionFacts,
  { capabilities, maySpeak }: Exclude<AccessResult, string>,
  imposed: ImposedVoice | undefined,
) {
  const may = (capability: number) => imposed === undefined && has(capabilities, capability)
  const canUseVideo = self_video && may(Capability.UseVideo)
  const canShareScreen = self_stream && may(Capability.ShareScreen)
  return {
    // A self-mute mutes the microphone, not the screen's audio.
    rights: { canUseVideo, canShareScreen, canShareSound: canShareScreen && maySpeak },
    taken: { self_video: self_video && !canUseVideo, self_stream: self_stream && !canShareScreen },
  }
}

interface Rights {
  readonly maySpeak: boolean
  readonly capabilities: number
  readonly timeoutEnd?: number | undefined
}

type AccessResult = Rights | VoiceEndReason

async function accessInRoom(
  { snapshots }: EvaluationDeps,
  { userId, place: { tenantId, channelId } }: VoiceSession,
): Promise<AccessResult> {
  const { snapshot, member } = await snapshots.findMembership(tenantId, userId)
  if (!snapshot?.rooms.has(channelId)) return 'room_deleted'
  if (member === undefined) return 'permission_lost'
  const { permissions, capabilities } = rightsInRoom(snapshot, member, channelId)
  if (!has(permissions, MAY_BE_THERE)) return 'permission_lost'
  const timeoutEnd = isInTimeout(member) ? Date.parse(member.timeout_until ?? '') : undefined
  return { maySpeak: has(permissions, Permission.SpeakInVoice), capabilities, timeoutEnd }
}

async function accessInConversation(
  { conversationFacts }: EvaluationDeps,
  { userId, place: { channelId } }: VoiceSession,
): Promise<AccessResult> {
  const conversation = await conversationFacts.find(channelId)
  if (!conversation?.memberIds.includes(userId)) return 'permission_lost'
  const isOpen = await conversationFacts.isOpenToTalk(conversation)
  return isOpen ? { maySpeak: true, capabilities: CONVERSATION_CAPABILITIES } : 'permission_lost'
}
