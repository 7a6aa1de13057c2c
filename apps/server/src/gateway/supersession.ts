import type { Event } from '#src/kernel/bus.ts'
import { growingLru } from '#src/kernel/cache.ts'
import { idTime } from '#src/kernel/ids.ts'

const MAX_SUBJECTS = 50_000

/** By kind of subject, the fields that name it: where events call the same thing differently, the first that there is. */
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
  ROOM_PINS: [],
  CONVERSATION: [['conversation_id', 'id']],
  CONVERSATION_MEMBER: [['user_id', 'user']],
  MESSAGE_REACTION: [['message_id'], ['user_id'], ['emoji']],
  MESSAGE: [['id']],
  VOICE_STATE: [['user_id']],
}
const CHANGE = /_(CREATE|UPDATE|DELETE|ADD|REMOVE)$/
const BEGINS = /_(CREATE|ADD)$/
const ENDS = /_(DELETE|REMOVE)$/

/** Clocks of machines differ by less. What is told within it of each other is told as it comes. */
const MAX_SKEW_MS = 20

interface Latest {
  id: string
  isEnd: boolean
}

/**
 * Two changes of the same thing, one after the other, may be told in the opposite order: by two processes, one of which
 * stood still, or after a commit that was answered late. The later one tells all there is to know, and what was told late
 * is dropped. Ids are made under the lock that put the changes in their order, and so tell it.
 */
export class Supersession {
  readonly #latest = growingLru<Latest>(MAX_SUBJECTS)

  /**
   * Whether something later was told of the same thing; if not, this is the latest now. What comes into being late is
   * superseded by its end alone.
   */
  isSuperseded(event: Event): boolean {
    const { id, name } = event
    const subject = id === undefined ? undefined : subjectOf(event)
    if (id === undefined || subject === undefined) return false
    const latest = this.#latest.get(subject)
    if (latest === undefined || latest.id < id) this.#latest.set(subject, { id, isEnd: ENDS.test(name) })
    if (latest === undefined || idTime(latest.id) - idTime(id) <= MAX_SKEW_MS) return false
    return latest.isEnd || !BEGINS.test(name)
  }
}

/** Undefined for what changes nothing that lasts, and for new messages, which have their own order. */
function subjectOf({ name, topic, data }: Event): string | undefined {
  if (name === 'MESSAGE_CREATE') return undefined
  const kind = name.replace(CHANGE, '')
  const fields = kind === name ? undefined : SUBJECTS[kind]
  if (fields === undefined) return undefined
  const told: Record<string, unknown> = JSON.parse(data)
  const ids = fields.map((names) =>
    nameOf(names.map((field) => told[field]).find((value) => value !== undefined)),
  )
  return [topic.tenantId, topic.channelId, kind, ...ids].join(' ')
}

/** An id or an emoji as it is; of a user that is shown whole, the id. */
function nameOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}
