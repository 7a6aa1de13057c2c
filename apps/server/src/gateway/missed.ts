import type { JournaledEvent, ReplayRange } from '#src/kernel/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'

export interface MissedRange extends ReplayRange {
  /** The last id that the client has heard: what is older is replayed in case that it came late. */
  heard: string
}

/** Events of what SPACE_CREATE tells. */
const SPACE_PARTS = [
  'SPACE_UPDATE',
  'SPACE_ROLE_CREATE',
  'SPACE_ROLE_UPDATE',
  'SPACE_ROLE_DELETE',
  'ROOM_CREATE',
  'ROOM_UPDATE',
  'ROOM_DELETE',
  'ROOM_OVERWRITE_UPDATE',
  'ROOM_OVERWRITE_DELETE',
  'SPACE_EMOJI_CREATE',
  'SPACE_EMOJI_UPDATE',
  'SPACE_EMOJI_DELETE',
  'SPACE_STICKER_CREATE',
  'SPACE_STICKER_UPDATE',
  'SPACE_STICKER_DELETE',
]

/** Events of what CONVERSATION_CREATE tells. */
const CONVERSATION_PARTS = ['CONVERSATION_UPDATE', 'CONVERSATION_MEMBER_ADD', 'CONVERSATION_MEMBER_REMOVE']

/** Of what either tells, or READY; it is told anew by itself, since it is frequent. */
const VOICE = 'VOICE_STATE_UPDATE'

const PARTS = new Set([...SPACE_PARTS, ...CONVERSATION_PARTS])
const ENTRANCES = new Set(['SPACE_CREATE', 'CONVERSATION_CREATE'])
const ENDS = new Set(['SPACE_DELETE', 'CONVERSATION_DELETE'])

export interface Missed {
  count: number
  /**
   * Spaces that the client cannot bring up to date event by event: somebody changed the access to them, the user's roles or
   * membership, or a part of them that may have been told late.
   */
  changed_spaces: string[]
  /** The same of conversations: they were listed since, or a part of them may have been told late. */
  changed_conversations: string[]
  /** The data of voice states that may have been told late. */
  late_voices: string[]
}

/** Looks over what is in the journal, without reading it all: counting ends at the limit. */
export async function surveyMissed(
  database: Queryable,
  userId: string,
  { topics, after, before, heard }: MissedRange,
  limit: number,
): Promise<Missed> {
  const [missed] = await database.query<Missed>(sql`
    select count(*),
      coalesce(array_agg(distinct changed_id) filter (where is_space), '{}') as changed_spaces,
      coalesce(array_agg(distinct changed_id) filter (where is_conversation), '{}') as changed_conversations,
      coalesce(array_agg(voice order by id) filter (where voice is not null), '{}') as late_voices
    from (
      select
        case when name in ('SPACE_CREATE', 'CONVERSATION_CREATE') then data::json ->> 'id' else tenant_id::text end
          as changed_id,
        name in ('SPACE_CREATE', 'SPACE_ACCESS_CHANGE')
          or (name = 'SPACE_MEMBER_UPDATE' and data::json ->> 'user_id' = ${userId})
          or (name = any(${SPACE_PARTS}) and id <= ${heard}) as is_space,
        name = 'CONVERSATION_CREATE' or (name = any(${CONVERSATION_PARTS}) and id <= ${heard}) as is_conversation,
        case when name = ${VOICE} and id <= ${heard} then data end as voice, id
      from unnest(
        ${topics.map((topic) => topic.tenantId)}::uuid[],
        ${topics.map((topic) => topic.channelId)}::uuid[]) as topic (tenant_id, channel_id)
      join events using (tenant_id, channel_id)
      where id > ${after} and id < ${before}
      limit ${limit}) as missed`)
  return missed ?? { count: 0, changed_spaces: [], changed_conversations: [], late_voices: [] }
}

/** The same of events that have been read already. */
export function surveyEvents(events: readonly JournaledEvent[], userId: string, heard: string): Missed {
  const changed = events.filter(
    (event) => event.name === 'SPACE_ACCESS_CHANGE' || isToldAnew(event, userId, heard),
  )
  const [voices, places] = partition(changed, ({ name }) => name === VOICE)
  const [conversations, spaces] = partition(places, ({ name }) => name.startsWith('CONVERSATION_'))
  return {
    count: events.length,
    changed_spaces: [...new Set(spaces.map(placeOf))],
    changed_conversations: [...new Set(conversations.map(placeOf))],
    late_voices: voices.map(({ data }) => data),
  }
}

/**
 * Whether the event is told by the space, or the conversation, that is told anew. Of what may have been told late, a client
 * that knows the effect from READY or SPACE_CREATE would take the event for new, and what undid it later for a duplicate.
 * What the user was in the space before they left it and came back would be taken for what they are now.
 */
export function isToldAnew({ id, name, data }: JournaledEvent, userId: string, heard: string): boolean {
  if (name === 'SPACE_MEMBER_UPDATE') return data.includes(userId) && userOf(data) === userId
  if (ENTRANCES.has(name)) return true
  return id <= heard && (PARTS.has(name) || name === VOICE)
}

/** The space or the conversation that begins with the event; undefined for every other event. */
export function beginningOf({ name, data }: Pick<JournaledEvent, 'name' | 'data'>): string | undefined {
  if (!ENTRANCES.has(name)) return undefined
  const { id }: { id: string } = JSON.parse(data)
  return id
}

/** Whether a space or a conversation ends with the event. */
export function isEnd({ name }: Pick<JournaledEvent, 'name'>): boolean {
  return ENDS.has(name)
}

function userOf(data: string): string {
  const { user_id }: { user_id: string } = JSON.parse(data)
  return user_id
}

/** The space or the conversation that the event changes. */
function placeOf(event: JournaledEvent): string {
  return beginningOf(event) ?? event.topic.tenantId
}

function partition<T>(values: readonly T[], fits: (value: T) => boolean): [T[], T[]] {
  return [values.filter(fits), values.filter((value) => !fits(value))]
}
