import type { Message } from '@foyer/protocol/messages'
import type { Logger } from 'pino'
import type { Place } from '#src/channels/place.ts'
import type { Bus, Event } from '#src/kernel/bus.ts'
import { growingLru } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database.ts'
import { enqueueFinding } from './enqueueing.ts'
import type { PushInterest } from './interest.ts'
import type { SubjectName } from './subjects.ts'

export interface AskingDeps {
  database: Database
  bus: Bus
  log: Logger
  pushInterest: PushInterest
}

/** Who reads it within this time is not told. */
const GRACE_SECONDS = 5
const REMEMBERED_CHANNELS = 100_000

interface Asked {
  name: SubjectName
  delaySeconds: number
}

/** Has people told of what is written in this process, and of calls that begin in it, behind the writing. */
export function askForPushes(deps: AskingDeps): void {
  const asking = new Asking(deps)
  deps.bus.listenLocally((events) => {
    const telling = events.filter(({ name, topic }) => name === 'MESSAGE_CREATE' || isCall(name, topic.kind))
    if (telling.length > 0) asking.ask(telling)
  })
}

/** Those who come to a group are told of its call by themselves. */
function isCall(name: string, kind: string): boolean {
  return name === 'CALL_CREATE' && kind === 'conversation'
}

class Asking {
  readonly #deps: AskingDeps
  /** When what was asked for by a channel is looked at: by then it finds what comes until then, too. */
  readonly #asked = growingLru<number>(REMEMBERED_CHANNELS)

  constructor(deps: AskingDeps) {
    this.#deps = deps
  }

  ask(events: readonly Event[]): void {
    this.#ask(events).catch((error: Error) =>
      this.#deps.log.warn({ err: error }, 'pushes could not be asked for'),
    )
  }

  /** While nobody has subscribed this is all that a message costs: to ask whether anybody has. */
  async #ask(events: readonly Event[]): Promise<void> {
    if (!(await this.#deps.pushInterest.isAny())) return
    const asked = await Promise.all(events.map((event) => this.#consider(event)))
    const named = asked.filter((one) => one !== undefined)
    if (named.length > 0) await enqueueFinding(this.#deps.database, named)
  }

  async #consider({ name, topic, data }: Event): Promise<Asked | undefined> {
    const place = { tenantId: topic.tenantId, channelId: topic.channelId }
    return name === 'CALL_CREATE' ? this.#ofCall(place, data) : this.#ofMessage(place, JSON.parse(data))
  }

  async #ofCall(place: Place, data: string): Promise<Asked | undefined> {
    const { initiator_id }: { initiator_id: string } = JSON.parse(data)
    const isWanted = await this.#deps.pushInterest.concernsConversation(place.channelId, initiator_id)
    return isWanted ? { name: { type: 'call', place, messageId: null }, delaySeconds: 0 } : undefined
  }

  async #ofMessage(place: Place, message: Message): Promise<Asked | undefined> {
    if (mentionsSomebody(message)) {
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

function mentionsSomebody({ mentions, mention_roles, mention_everyone }: Message): boolean {
  return mention_everyone || mentions.length > 0 || mention_roles.length > 0
}
