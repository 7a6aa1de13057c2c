import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The part of a session's state that affects its media. */
export interface SessionFacts {
  readonly session_id: string
  readonly channel_id: string
  readonly self_mute: boolean
  readonly self_deaf: boolean
  readonly self_video: boolean
  readonly self_stream: boolean
  /** True if the login that joined still exists, or the bot still has a token. */
  readonly is_logged_in: boolean
}

/** Lists the facts of sessions that still have a state. */
export async function listSessionFacts(
  database: Queryable,
  sessionIds: readonly string[],
): Promise<SessionFacts[]> {
  return database.query<SessionFacts>(sql`
    select session_id, channel_id, self_mute, self_deaf, self_video, self_stream,
      exists (select from sessions where id = login_id and expires_at > now())
        or exists (select from bot_tokens where bot_tokens.user_id = login_id) as is_logged_in
    from voice_states where session_id = any(${sessionIds}) order by session_id`)
}

/** The flags a space has imposed on a member's voice. */
export interface ImposedVoice {
  readonly user_id: string
  readonly voice_mute: boolean
  readonly voice_deaf: boolean
}

/** Lists the given users whom the space has muted or deafened, with their flags. */
export async function listImposedVoice(
  database: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<ImposedVoice[]> {
  return database.query<ImposedVoice>(sql`
    select user_id, voice_mute, voice_deaf from members
    where space_id = ${spaceId} and user_id = any(${userIds}) and (voice_mute or voice_deaf)
    order by user_id`)
}
