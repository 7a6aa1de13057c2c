import type { NewMessage } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import type { Logger } from 'pino'
import { type Place, placeOfEvent } from '#src/channels/place.ts'
import { growingLru } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { enqueueFinding } from './enqueueing.ts'
import type { PushInterest } from './interest.ts'
import type { SubjectName } from './subjects.ts'

export interface PushRequestDeps {
  database: Database
  log: Logger
  pushInterest: PushInterest
}

/** Delay before pushing: a message read within it is not pushed. */
const GRACE_SECONDS = 5
const REMEMBERED_CHANNELS = 100_000

interface Asked {
  name: SubjectName
  delaySeconds: number
}

/** Enqueues pushes for messages and calls of this process, after they were published. */
export class PushRequests {
  readonly #deps: PushRequestDeps
  /** Time at which each channel's job runs, on the clock of `performance.now()`. The job covers all messages until then. */
  readonly #asked = growingLru<number>(REMEMBERED_CHANNELS)

  constructor(deps: PushRequestDeps) {
    this.#deps = deps
  }

  receive(events: readonly Event[]): void {
    const subjects = events.filter(({ name, topic }) => name === 'MESSAGE_CREATE' || isCall(name, topic.kind))
    if (subjects.length === 0) return
    this.#request(subjects).catch((error: Error) =>
      this.#deps.log.warn({ err: error }, 'pushes could not be requested'),
    )
  }

  /** If no user has a subscription, a message costs only the call of `isAny`. */
  async #request(events: readonly Event[]): Promise<void> {
    if (!(await this.#deps.pushInterest.isAny())) return
    const asked = await Promise.all(events.map((event) => this.#consider(event)))
    const named = asked.filter((one) => one !== undefined)
    if (named.length > 0) await enqueueFinding(this.#deps.database, named)
  }

  async #consider(event: Event): Promise<Asked | undefined> {
    const { name, data } = event
    const place = placeOfEvent(event)
    return name === 'CALL_CREATE' ? this.#ofCall(place, data) : this.#ofMessage(place, JSON.parse(data))
  }

  async #ofCall(place: Place, data: string): Promise<Asked | undefined> {
    const { initiator_id }: { initiator_id: string } = JSON.parse(data)
    const isWanted = await this.#deps.pushInterest.concernsConversation(place.channelId, initiator_id)
    return isWanted ? { name: { type: 'call', place, messageId: null }, delaySeconds: 0 } : undefined
  }

  async #ofMessage(place: Place, message: NewMessage): Promise<Asked | undefined> {
    // A moved message was already pushed in its original room or thread.
    if (message.is_moved === true) return undefined
    if (mentionsAnyone(message)) {
      const isWanted = await this.#deps.pushInterest.concerns(place, message)
      return isWanted
        ? { name: { type: 'message', place, messageId: message.id }, delaySeconds: GRACE_SECONDS }
        : undefined
    }
    const now = performance.now()
    if ((this.#asked.get(place.channelId) ?? 0) > now) return undefined
    if (!(await this.#deps.pushInterest.concerns(place, message))) return undefined
    this.#asked.set(place.channelId, now + GRACE_SECONDS * 1000)
    return { name: { type: 'newest', place, messageId: message.id }, delaySeconds: GRACE_SECONDS }
  }
}

function mentionsAnyone({ mentions, mention_roles, mention_everyone }: Message): boolean {
  return mention_everyone || mentions.length > 0 || mention_roles.length > 0
}

/** Ignores the CALL_CREATE that a user gets on joining a group during a call: it needs no push. */
function isCall(name: string, kind: string): boolean {
  return name === 'CALL_CREATE' && kind === 'conversation'
}
