import type { VoiceEndReason } from '@foyer/protocol/voice'
import { conversationOf } from '#src/conversations/facts.ts'
import type { Bus, Event } from '#src/kernel/bus.ts'
import { MAX_DELIVERY_MS } from '#src/kernel/database.ts'
import { idTime } from '#src/kernel/ids.ts'
import { memberOf } from '#src/spaces/snapshots.ts'
import type { VoiceSession } from './engine.ts'
import type { HostedSession, HostedSessions } from './sessions.ts'
import type { Reviews } from './sessions-reviews.ts'

export interface WardenDeps {
  bus: Bus
  sessions: HostedSessions
  reviews: Reviews
}

/** What an event may change of which sessions. */
interface Concern {
  readonly of: (sessions: HostedSessions, event: Event) => readonly HostedSession[]
  /** Why it ends those that were there before it, whatever is true by now. */
  readonly ends?: VoiceEndReason
}

const ofSpace: Concern = { of: (sessions, { topic }) => sessions.ofTenant(topic.tenantId) }

const ofState: Concern = {
  of: (sessions, { data }) => sessions.ofUser(read<{ user_id: string }>(data).user_id),
}

/** Every event that may take something from a session, or give it. */
const concerns: Readonly<Record<string, Concern>> = {
  SPACE_ACCESS_CHANGE: ofSpace,
  SPACE_UPDATE: ofSpace,
  SPACE_ROLE_CREATE: ofSpace,
  SPACE_ROLE_UPDATE: ofSpace,
  SPACE_ROLE_DELETE: ofSpace,
  ROOM_UPDATE: ofSpace,
  ROOM_OVERWRITE_UPDATE: ofSpace,
  ROOM_OVERWRITE_DELETE: ofSpace,
  ROOM_DELETE: { of: (sessions, { topic }) => sessions.inPlace(topic), ends: 'room_deleted' },
  SPACE_DELETE: {
    of: (sessions, event) => (event.topic.kind === 'space' ? ofSpace.of(sessions, event) : []),
    ends: 'room_deleted',
  },
  SPACE_MEMBER_UPDATE: { of: ofMember },
  SPACE_MEMBER_DELETE: { of: ofMember, ends: 'permission_lost' },
  VOICE_STATE_UPDATE: ofState,
  CONVERSATION_MEMBER_REMOVE: ofSpace,
  CONVERSATION_DELETE: { of: (sessions, event) => sessions.ofTenant(conversationOf(event)) },
  BLOCK_CREATE: {
    of: (sessions, { topic, data }) => [
      ...sessions.ofUser(topic.tenantId),
      ...sessions.ofUser(read<{ user: { id: string } }>(data).user.id),
    ],
  },
  SESSION_END: { of: (sessions, { topic }) => sessions.ofLogin(topic.channelId), ends: 'session_ended' },
}

const LOOK_MS = 500

/**
 * Sees to it that the media of this process's sessions follows what happens: each event concerns few of them, and those are
 * looked at anew. After this process may have missed events, all are.
 */
export class Warden {
  readonly #deps: WardenDeps
  /** By login: the event that ended it. */
  readonly #endedLogins = new Map<string, string>()
  readonly #looking: NodeJS.Timeout
  #epoch: number

  constructor(deps: WardenDeps) {
    const { bus, sessions, reviews } = deps
    this.#deps = deps
    this.#epoch = bus.freshness.epoch
    // Behind the caches, which then know no more what was.
    bus.listen((events) => {
      for (const event of events) this.#hear(event)
    })
    this.#looking = setInterval(() => {
      if (this.#epoch === bus.freshness.epoch) return
      this.#epoch = bus.freshness.epoch
      void reviews.review(sessions.all())
    }, LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#looking)
  }

  /** Whether the login, which was one when the session began, ended since. */
  isLoginOver({ id, loginId }: VoiceSession): boolean {
    return (this.#endedLogins.get(loginId) ?? '') > id
  }

  #hear(event: Event): void {
    const concern = concerns[event.name]
    if (concern === undefined) return
    if (event.name === 'SESSION_END') this.#rememberEnd(event)
    const { sessions, reviews } = this.#deps
    if (sessions.size === 0) return
    const [ended, others] = partition(concern.of(sessions, event), ({ session }) => isBefore(session, event))
    const { ends } = concern
    if (ends !== undefined) for (const hosted of ended) reviews.end(hosted, ends)
    void reviews.review(ends === undefined ? [...ended, ...others] : others)
  }

  #rememberEnd({ id = '', topic }: Event): void {
    const past = idTime(id) - MAX_DELIVERY_MS
    for (const [loginId, eventId] of this.#endedLogins) {
      if (idTime(eventId) > past) break
      this.#endedLogins.delete(loginId)
    }
    this.#endedLogins.delete(topic.channelId)
    this.#endedLogins.set(topic.channelId, id)
  }
}

/** Some events are heard twice, or late: who left a space and is back in a room of it must not be thrown out of that. */
function isBefore({ id }: VoiceSession, event: Event): boolean {
  return event.id !== undefined && id < event.id
}

function ofMember(sessions: HostedSessions, event: Event): HostedSession[] {
  const { tenantId } = event.topic
  return sessions.ofUser(memberOf(event)).filter(({ session }) => session.place.tenantId === tenantId)
}

function partition<T>(values: readonly T[], fits: (value: T) => boolean): [T[], T[]] {
  return [values.filter(fits), values.filter((value) => !fits(value))]
}

/** An event's data, which was encoded by the schema of its name. */
function read<Data>(data: string): Data {
  return JSON.parse(data)
}
