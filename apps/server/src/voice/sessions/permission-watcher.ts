import type { VoiceEndReason } from '@foyer/protocol/voice'
import { conversationOf } from '#src/conversations/facts.ts'
import { MAX_DELIVERY_MS } from '#src/kernel/database/database.ts'
import { idTime } from '#src/kernel/ids.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { memberOf } from '#src/spaces/snapshots.ts'
import type { VoiceSession } from '../engine.ts'
import type { Rechecks } from './rechecks.ts'
import type { HostedSession, HostedSessions } from './sessions.ts'

export interface PermissionWatcherDeps {
  bus: Bus
  sessions: HostedSessions
  reviews: Rechecks
}

/** The sessions an event may affect. */
interface Concern {
  readonly of: (sessions: HostedSessions, event: Event) => readonly HostedSession[]
  /** If set, the event ends sessions that began before it, with this reason and regardless of their current state. */
  readonly ends?: VoiceEndReason
}

const ofSpace: Concern = { of: (sessions, { topic }) => sessions.ofTenant(topic.tenantId) }

const ofState: Concern = {
  of: (sessions, { data }) => sessions.ofUser(read<{ user_id: string }>(data).user_id),
}

/** Every event that may change the rights of a session. */
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
 * Keeps the media of this process's sessions in line with their permissions. Rechecks the few sessions that an event
 * affects, and all sessions if events may have been lost. Timeouts end without an event, so their end is polled.
 */
export class PermissionWatcher {
  readonly #deps: PermissionWatcherDeps
  /** Id of the SESSION_END event by login. */
  readonly #endedLogins = new Map<string, string>()
  readonly #looking: NodeJS.Timeout
  #epoch: number

  constructor(deps: PermissionWatcherDeps) {
    const { bus, sessions, reviews } = deps
    this.#deps = deps
    this.#epoch = bus.freshness.epoch
    this.#looking = setInterval(() => {
      const now = Date.now()
      const ended = sessions.all().filter(({ timeoutEnd = Infinity }) => timeoutEnd <= now)
      if (ended.length > 0) void reviews.recheck(ended)
      if (this.#epoch === bus.freshness.epoch) return
      this.#epoch = bus.freshness.epoch
      void reviews.recheck(sessions.all())
    }, LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#looking)
  }

  /** Returns whether the login ended after the session began. */
  isLoginOver({ id, loginId }: VoiceSession): boolean {
    return (this.#endedLogins.get(loginId) ?? '') > id
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#follow(event)
  }

  #follow(event: Event): void {
    const concern = concerns[event.name]
    if (concern === undefined) return
    if (event.name === 'SESSION_END') this.#rememberEnd(event)
    const { sessions, reviews } = this.#deps
    if (sessions.size === 0) return
    const [ended, others] = partition(concern.of(sessions, event), ({ session }) => isBefore(session, event))
    const { ends } = concern
    if (ends !== undefined) for (const hosted of ended) reviews.end(hosted, ends)
    void reviews.recheck(ends === undefined ? [...ended, ...others] : others)
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

/**
 * Returns whether the session began before the event. Events may arrive twice or late: a user who left a space and
 * has rejoined since must not be removed.
 */
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

/** Parses an event's data, which was encoded by the schema of its name. */
function read<Data>(data: string): Data {
  return JSON.parse(data)
}
