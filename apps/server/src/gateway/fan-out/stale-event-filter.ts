import { channelIdOf } from '#src/channels/place.ts'
import { growingLru } from '#src/kernel/cache.ts'
import { idTime } from '#src/kernel/ids.ts'
import type { Event, Topic } from '#src/kernel/journal/bus.ts'

const MAX_SUBJECTS = 50_000

/**
 * Fields of an event's data that identify its subject, by kind. If events have different fields for the same id, the
 * first field that is present is used.
 */
const SUBJECTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  USER: [['id']],
  FRIEND_REQUEST: [['id']],
  FRIEND: [['user_id', 'user']],
  BLOCK: [['user_id', 'user']],
  SPACE: [['space_id', 'id']],
  SPACE_MEMBER: [['user_id']],
  SPACE_ROLE: [['role_id', 'id']],
  SPACE_EMOJI: [['emoji_id', 'id']],
  SPACE_STICKER: [['sticker_id', 'id']],
  SPACE_BUCKET: [['bucket_id', 'id']],
  SPACE_INVITE: [['invite_id', 'id']],
  SPACE_BAN: [['user_id', 'user']],
  ROOM: [['room_id', 'id']],
  ROOM_OVERWRITE: [['room_id'], ['target_id']],
  ANNOUNCEMENTS: [],
  ROOM_PINS: [['room_id', 'conversation_id']],
  THREAD: [['id']],
  THREAD_FOLLOW: [['thread_id']],
  CONVERSATION: [['conversation_id', 'id']],
  CONVERSATION_MEMBER: [['user_id', 'user']],
  MESSAGE_REACTION: [['message_id'], ['user_id'], ['emoji']],
  MESSAGE: [['id']],
  VOICE_STATE: [['user_id']],
}
const CHANGE = /_(CREATE|UPDATE|DELETE|ADD|REMOVE)$/
const BEGINS = /_(CREATE|ADD)$/
const ENDS = /_(DELETE|REMOVE)$/

/** Maximum difference between the clocks of machines. Events this close together are delivered in order of arrival. */
const MAX_SKEW_MS = 20

interface Latest {
  id: string
  isEnd: boolean
}

/**
 * Drops stale changes. Two changes of the same subject may arrive in the wrong order, because one of two processes
 * stalled, or because the answer to a commit was late. The later change contains the whole state, so the earlier one is
 * dropped. Ids are made under the lock that ordered the changes, so they show the order.
 */
export class StaleEventFilter {
  readonly #latest = growingLru<Latest>(MAX_SUBJECTS)

  /**
   * Returns true if a later event of the same subject was delivered. Otherwise this event becomes the latest. A late
   * CREATE or ADD is only stale if the subject has ended.
   */
  isStale(event: Event): boolean {
    const { id, name } = event
    const subject = id === undefined ? undefined : subjectOf(event)
    if (id === undefined || subject === undefined) return false
    const latest = this.#latest.get(subject)
    if (latest === undefined || latest.id < id) this.#latest.set(subject, { id, isEnd: ENDS.test(name) })
    if (latest === undefined || idTime(latest.id) - idTime(id) <= MAX_SKEW_MS) return false
    return latest.isEnd || !BEGINS.test(name)
  }

  /**
   * Returns true for an event in a thread whose end was received, such as a message that waited for an earlier one.
   * Deletions pass: the messages may have moved to another thread.
   */
  isOfEndedThread(event: Event): boolean {
    const { topic, name } = event
    if (topic.kind !== 'thread' || /^(THREAD|MESSAGE_DELETE)/.test(name)) return false
    return this.#latest.peek(keyOf(topic, 'THREAD', [channelIdOf(event)]))?.isEnd === true
  }
}

function keyOf({ tenantId, channelId }: Topic, kind: string, ids: readonly unknown[]): string {
  return [tenantId, channelId, kind, ...ids].join(' ')
}

/**
 * Returns the key of the subject that the event changes; undefined for events that change no stored state, and for new
 * messages, which have a `seq`.
 */
function subjectOf({ name, topic, data }: Event): string | undefined {
  if (name === 'MESSAGE_CREATE') return undefined
  const kind = name.replace(CHANGE, '')
  const fields = kind === name ? undefined : SUBJECTS[kind]
  if (fields === undefined) return undefined
  const fieldsOf: Record<string, unknown> = JSON.parse(data)
  const ids = fields.map((names) =>
    nameOf(names.map((field) => fieldsOf[field]).find((value) => value !== undefined)),
  )
  return keyOf(topic, kind, ids)
}

/** Returns the id of a full user. An id or emoji is returned unchanged. */
function nameOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}
