import type { VoiceState } from '@foyer/protocol/voice'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Columns of `voice_states left join members`. A conversation is its own tenant. */
export const voiceStateColumns = fragment`
  voice_states.user_id, nullif(tenant_id, channel_id) as space_id,
  case when tenant_id = channel_id then null else channel_id end as room_id,
  case when tenant_id = channel_id then channel_id end as conversation_id,
  session_id, self_mute, self_deaf, self_video, self_stream,
  coalesce(voice_mute, false) as mute, coalesce(voice_deaf, false) as deaf, voice_states.joined_at`

/** Lists the voice states of spaces and calls. Users who left the space are skipped. */
export async function listVoiceStates(
  database: Queryable,
  tenantIds: readonly string[],
): Promise<VoiceState[]> {
  return database.query<VoiceState>(sql`
    select ${voiceStateColumns}
    from voice_states left join members on space_id = tenant_id and members.user_id = voice_states.user_id
    where tenant_id = any(${tenantIds}) and (tenant_id = channel_id or members.user_id is not null)
    order by voice_states.joined_at, voice_states.user_id`)
}

export async function findVoiceStatesOf(
  database: Queryable,
  userIds: readonly string[],
): Promise<VoiceState[]> {
  return database.query<VoiceState>(sql`
    select ${voiceStateColumns}
    from voice_states left join members on space_id = tenant_id and members.user_id = voice_states.user_id
    where voice_states.user_id = any(${userIds})
    order by voice_states.user_id`)
}
