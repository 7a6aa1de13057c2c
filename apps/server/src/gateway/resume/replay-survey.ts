import { channelIdOf } from '#src/channels/place.ts'
import type { JournaledEvent, ReplayRange } from '#src/kernel/journal/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface SurveyRange extends ReplayRange {
  /** The last id the client received. Older events are replayed in case they were late. */
  lastReceived: string
  /** False for a client that did not ask for the events of threads. */
  hasThreads: boolean
}

/** Events that change only a part of what SPACE_CREATE contains. */
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

/** Events that change only a part of what CONVERSATION_CREATE contains. */
const CONVERSATION_PARTS = ['CONVERSATION_UPDATE', 'CONVERSATION_MEMBER_ADD', 'CONVERSATION_MEMBER_REMOVE']

/**
 * Voice states are included in SPACE_CREATE, CONVERSATION_CREATE and READY. Late voice states are resent alone, because
 * they are frequent.
 */
const VOICE = 'VOICE_STATE_UPDATE'

const THREAD_END = 'THREAD_DELETE'

const PARTS = new Set([...SPACE_PARTS, ...CONVERSATION_PARTS])
const ENTRANCES = new Set(['SPACE_CREATE', 'CONVERSATION_CREATE'])
const ENDS = new Set(['SPACE_DELETE', 'CONVERSATION_DELETE'])

export interface ReplaySurvey {
  count: number
  /**
   * Spaces that the client cannot update event by event: their access, the user's roles or membership
   * changed, or a part may have been delivered late.
   */
  changed_spaces: string[]
  /**
   * Conversations that the client cannot update event by event: they were listed since, or a part may have
   * been delivered late.
   */
  changed_conversations: string[]
  /** Data of voice states that may have been delivered late. */
  late_voices: string[]
  /** Ids of threads whose THREAD_DELETE the client may already have received. */
  ended_threads: string[]
}

/** Surveys the journal without reading it all: counting stops at the limit. */
export async function surveyJournal(
  database: Queryable,
  userId: string,
  { topics, after, before, lastReceived, hasThreads }: SurveyRange,
  limit: number,
): Promise<ReplaySurvey> {
  const [survey] = await database.query<ReplaySurvey>(sql`
    select count(*),
      coalesce(array_agg(distinct changed_id) filter (where is_space), '{}') as changed_spaces,
      coalesce(array_agg(distinct changed_id) filter (where is_conversation), '{}') as changed_conversations,
      coalesce(array_agg(voice order by id) filter (where voice is not null), '{}') as late_voices,
      coalesce(array_agg(ended_thread) filter (where ended_thread is not null), '{}') as ended_threads
    from (
      select
        case when name in ('SPACE_CREATE', 'CONVERSATION_CREATE') then data::json ->> 'id' else tenant_id::text end
          as changed_id,
        name in ('SPACE_CREATE', 'SPACE_ACCESS_CHANGE')
          or (name = 'SPACE_MEMBER_UPDATE' and data::json ->> 'user_id' = ${userId})
          or (name = any(${SPACE_PARTS}) and id <= ${lastReceived}) as is_space,
        name = 'CONVERSATION_CREATE' or (name = any(${CONVERSATION_PARTS}) and id <= ${lastReceived}) as is_conversation,
        case when name = ${VOICE} and id <= ${lastReceived} then data end as voice,
        case when name = ${THREAD_END} and id <= ${lastReceived} then data::json ->> 'id' end as ended_thread, id
      from unnest(
        ${topics.map((topic) => topic.tenantId)}::uuid[],
        ${topics.map((topic) => topic.channelId)}::uuid[]) as topic (tenant_id, channel_id)
      join events using (tenant_id, channel_id)
      where id > ${after} and id < ${before} and (${hasThreads}::boolean or kind <> 'thread')
      limit ${limit}) as surveyed`)
  return (
    survey ?? { count: 0, changed_spaces: [], changed_conversations: [], late_voices: [], ended_threads: [] }
  )
}

/** Surveys events that have been read already. */
export function surveyEvents(
  events: readonly JournaledEvent[],
  userId: string,
  lastReceived: string,
): ReplaySurvey {
  const changed = events.filter(
    (event) => event.name === 'SPACE_ACCESS_CHANGE' || isResent(event, userId, lastReceived),
  )
  const [voices, others] = partition(changed, ({ name }) => name === VOICE)
  const [conversations, spaces] = partition(others, ({ name }) => name.startsWith('CONVERSATION_'))
  return {
    count: events.length,
    changed_spaces: [...new Set(spaces.map(tenantOf))],
    changed_conversations: [...new Set(conversations.map(tenantOf))],
    late_voices: voices.map(({ data }) => data),
    ended_threads: events.filter(({ id, name }) => name === THREAD_END && id <= lastReceived).map(threadOf),
  }
}

/**
 * True if resending the space or conversation covers the event. A client that knows the effect of a late event from
 * READY or SPACE_CREATE would take the event as new, and a later one that undid it as a duplicate. It would take the
 * state of a member from before they left and rejoined for the current state.
 */
export function isResent({ id, name, data }: JournaledEvent, userId: string, lastReceived: string): boolean {
  if (name === 'SPACE_MEMBER_UPDATE') return data.includes(userId) && userOf(data) === userId
  if (ENTRANCES.has(name)) return true
  return id <= lastReceived && (PARTS.has(name) || name === VOICE)
}

/**
 * True for an event in a thread whose end the client may have received. A client that did not know the thread would add
 * it, and drop the repeated end as a duplicate.
 */
export function isOfEndedThread(event: JournaledEvent, ended: ReadonlySet<string>): boolean {
  const { name, topic } = event
  return ended.size > 0 && topic.kind === 'thread' && name !== THREAD_END && ended.has(threadOf(event))
}

/** Returns the thread that the event is about. */
function threadOf(event: JournaledEvent): string {
  if (!event.name.startsWith('THREAD_')) return channelIdOf(event)
  const { id }: { id: string } = JSON.parse(event.data)
  return id
}

/** Returns the space or conversation that begins with the event; undefined for any other event. */
export function beginningOf({ name, data }: Pick<JournaledEvent, 'name' | 'data'>): string | undefined {
  if (!ENTRANCES.has(name)) return undefined
  const { id }: { id: string } = JSON.parse(data)
  return id
}

/** True if a space or conversation ends with the event. */
export function isEnd({ name }: Pick<JournaledEvent, 'name'>): boolean {
  return ENDS.has(name)
}

function userOf(data: string): string {
  const { user_id }: { user_id: string } = JSON.parse(data)
  return user_id
}

/** Returns the space or conversation that the event changes. */
function tenantOf(event: JournaledEvent): string {
  return beginningOf(event) ?? event.topic.tenantId
}

function partition<T>(values: readonly T[], fits: (value: T) => boolean): [T[], T[]] {
  return [values.filter(fits), values.filter((value) => !fits(value))]
}
