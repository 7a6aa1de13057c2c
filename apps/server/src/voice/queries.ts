import type { VoiceState } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { voiceStateColumns } from '#src/spaces/voice-states.ts'

/** A voice state with its server-only columns. */
export interface StateRow extends VoiceState {
  readonly tenant_id: string
  readonly channel_id: string
  /** The login that joined, or the bot. */
  readonly login_id: string
  readonly host_id: string
}

/** The flags of a state that its user sets. */
export type SelfFlags = Pick<VoiceState, 'self_mute' | 'self_deaf' | 'self_video' | 'self_stream'>

/**
 * Locks the user's voice until the transaction ends, so that no one else can move or mute them. Each user is in at most
 * one place.
 */
export async function lockUserVoice(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('voice of ' || ${userId}, 0))`)
}

/**
 * Locks the users of these sessions, in a fixed order, so that two transactions ending many sessions cannot
 * deadlock.
 */
export async function lockUsersOf(transaction: Queryable, sessionIds: readonly string[]): Promise<void> {
  await transaction.query(sql`
    with had as materialized (
      select user_id from voice_states where session_id = any(${sessionIds}) order by user_id
    )
    select pg_advisory_xact_lock(hashtextextended('voice of ' || user_id, 0)) from had`)
}

/**
 * Locks the places until the transaction ends, so that no one else can enter or leave. The order is fixed, so that two
 * users moving in opposite directions cannot deadlock.
 */
export async function lockPlaces(transaction: Queryable, places: readonly Place[]): Promise<void> {
  const ids = [...new Set(places.map(({ channelId }) => channelId))].sort()
  for (const id of ids)
    await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('voice in ' || ${id}, 0))`)
}

/** Returns the user's state; undefined if they are not in voice. */
export async function findStateOf(database: Queryable, userId: string): Promise<StateRow | undefined> {
  const [state] = await database.query<StateRow>(sql`
    select ${voiceStateColumns}, tenant_id, channel_id, login_id, host_id
    from voice_states left join members on space_id = tenant_id and members.user_id = voice_states.user_id
    where voice_states.user_id = ${userId}`)
  return state
}

/** Returns the states of these sessions. Sessions that have ended have no state. */
export async function findSessions(database: Queryable, sessionIds: readonly string[]): Promise<StateRow[]> {
  return database.query<StateRow>(sql`
    select ${voiceStateColumns}, tenant_id, channel_id, login_id, host_id
    from voice_states left join members on space_id = tenant_id and members.user_id = voice_states.user_id
    where session_id = any(${sessionIds})
    order by voice_states.user_id`)
}

/** Counts the other users in the place. */
export async function countOthers(transaction: Queryable, place: Place, userId: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from voice_states
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and user_id <> ${userId}`)
  return row?.count ?? 0
}

/** Counts the cameras and screens of the other users in the place. */
export async function countPictures(
  transaction: Queryable,
  place: Place,
  userId: string,
): Promise<{ cameras: number; screens: number }> {
  const [row] = await transaction.query<{ cameras: number; screens: number }>(sql`
    select count(*) filter (where self_video) as cameras, count(*) filter (where self_stream) as screens
    from voice_states
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and user_id <> ${userId}`)
  return row ?? { cameras: 0, screens: 0 }
}

export interface NewState extends SelfFlags {
  readonly userId: string
  readonly place: Place
  readonly sessionId: string
  readonly loginId: string
  readonly hostId: string
  /** Null for the current time. */
  readonly joinedAt: string | null
}

export async function insertState(transaction: Queryable, state: NewState): Promise<void> {
  await transaction.query(sql`
    insert into voice_states (user_id, tenant_id, channel_id, session_id, login_id, host_id,
      self_mute, self_deaf, self_video, self_stream, joined_at)
    values (${state.userId}, ${state.place.tenantId}, ${state.place.channelId}, ${state.sessionId}, ${state.loginId},
      ${state.hostId}, ${state.self_mute}, ${state.self_deaf}, ${state.self_video}, ${state.self_stream},
      coalesce(${state.joinedAt}::timestamptz, now()))`)
}

/** Saves the flags. Returns false for an ended session. */
export async function saveSelf(
  transaction: Queryable,
  sessionId: string,
  { self_mute, self_deaf, self_video, self_stream }: SelfFlags,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    update voice_states set self_mute = ${self_mute}, self_deaf = ${self_deaf}, self_video = ${self_video},
      self_stream = ${self_stream}
    where session_id = ${sessionId} returning session_id`)
  return rows.length > 0
}

/** Moves the session to another place. Returns false for an ended session. */
export async function savePlace(
  transaction: Queryable,
  sessionId: string,
  place: Place,
  hostId: string,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    update voice_states set tenant_id = ${place.tenantId}, channel_id = ${place.channelId}, host_id = ${hostId},
      joined_at = now()
    where session_id = ${sessionId} returning session_id`)
  return rows.length > 0
}

/** @returns the ids of the sessions that had not ended yet */
export async function deleteSessions(
  transaction: Queryable,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ session_id: string }>(sql`
    with over as materialized (
      select session_id from voice_states where session_id = any(${sessionIds}) order by user_id for update
    )
    delete from voice_states using over where voice_states.session_id = over.session_id
    returning voice_states.session_id`)
  return rows.map(({ session_id }) => session_id)
}

/** The flags that a space has imposed on a member. They persist while the member is not in voice. */
export interface ImposedFlags {
  readonly mute: boolean
  readonly deaf: boolean
}

export async function findImposed(
  transaction: Queryable,
  spaceId: string,
  userId: string,
): Promise<ImposedFlags> {
  const [imposed] = await transaction.query<{ mute: boolean; deaf: boolean }>(sql`
    select voice_mute as mute, voice_deaf as deaf from members
    where space_id = ${spaceId} and user_id = ${userId}`)
  return imposed ?? { mute: false, deaf: false }
}

export async function saveImposed(
  transaction: Queryable,
  spaceId: string,
  userId: string,
  { mute, deaf }: ImposedFlags,
): Promise<void> {
  await transaction.query(sql`
    update members set voice_mute = ${mute}, voice_deaf = ${deaf}
    where space_id = ${spaceId} and user_id = ${userId}`)
}
