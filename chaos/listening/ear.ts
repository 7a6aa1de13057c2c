import type { EventName, Events } from '@foyer/protocol/events'
import type { Gateway } from '@foyer/sdk/gateway'
import type { EventMeta } from '@foyer/sdk/subscribers'
import type { Findings } from '../audit/findings.ts'
import { type Entry, editIn, type Ledger } from '../world/ledger.ts'
import type { Sights } from '../world/sight.ts'
import { ChannelHearing, type Origin } from './channel-hearing.ts'
import { Trace } from './trace.ts'
import { View } from './view.ts'

/** Of all ears together. */
export interface Tally {
  journaled: number
  deliveries: number
  /** Messages from before the client was told of their channel, which a resume brings. */
  old: number
  resumes: number
  replayed: number
  readies: number
}

export interface EarParts {
  userId: string
  ledger: Ledger
  sights: Sights
  findings: Findings
  tally: Tally
}

type Place = Pick<Events['MESSAGE_DELETE'], 'room_id' | 'conversation_id'>
type Handlers = { [Name in EventName]?: (data: Events[Name]) => void }

/** Hears what one client hears, and notes at once what is wrong with it. */
export class Ear {
  readonly userId: string
  readonly channels = new Map<string, ChannelHearing>()
  readonly view: View
  readonly trace = new Trace()
  isReady = false
  readonly #parts: EarParts
  readonly #handlers: Handlers = {
    READY: ({ spaces, conversations }) =>
      this.#begin([...spaces.flatMap(({ rooms }) => rooms), ...conversations]),
    RESUMED: ({ replayed }) => {
      this.#parts.tally.resumes += 1
      this.#parts.tally.replayed += replayed
    },
    SPACE_CREATE: ({ id, rooms }) => this.#enterSpace(id, rooms),
    SPACE_DELETE: ({ space_id }) => this.#forgetAll(this.view.roomsOf(space_id)),
    ROOM_CREATE: ({ id, last_seq }) => this.#tell(id, last_seq, 'told'),
    ROOM_DELETE: ({ room_id }) => this.#forgetAll([room_id]),
    CONVERSATION_CREATE: ({ id, last_seq }) => this.#tell(id, last_seq, 'told'),
    CONVERSATION_DELETE: ({ conversation_id }) => this.#forgetAll([conversation_id]),
    MESSAGE_CREATE: (message) => this.#hear(message),
    MESSAGE_UPDATE: (message) => this.#hearEdit(message),
    MESSAGE_DELETE: ({ id, ...place }) => {
      const change = this.channels.get(channelOf(place))?.changeOf(id)
      if (change !== undefined) change.isDeleted = true
    },
    MESSAGE_REACTION_ADD: (change) => this.#react(change, true),
    MESSAGE_REACTION_REMOVE: (change) => this.#react(change, false),
  }

  constructor(gateway: Pick<Gateway, 'onAny' | 'onState'>, parts: EarParts) {
    this.userId = parts.userId
    this.#parts = parts
    this.view = new View(parts.userId)
    gateway.onAny((name, data, meta) => this.#note(name, data, meta))
    gateway.onState((state, reason) => {
      this.isReady = state === 'ready'
      this.trace.say(`is ${state}`)
      if (state === 'closed')
        parts.findings.add('refused', 'the gateway ended a session', { userId: this.userId, reason })
    })
  }

  #note<Name extends EventName>(name: Name, data: Events[Name], { s }: EventMeta): void {
    if (s !== undefined && name !== 'READY' && name !== 'RESUMED') this.#parts.tally.journaled += 1
    this.trace.note(name, data, s)
    const handler: Handlers[Name] = this.#handlers[name]
    handler?.(data)
    // Last: what went is looked up in what was there.
    this.view.apply(name, data)
  }

  /** A new beginning: nothing that was known counts. */
  #begin(channels: readonly { id: string; last_seq: number }[]): void {
    this.#parts.tally.readies += 1
    this.channels.clear()
    for (const { id, last_seq } of channels) this.channels.set(id, new ChannelHearing(last_seq, 'ready'))
  }

  #enterSpace(spaceId: string, rooms: readonly { id: string; last_seq: number }[]): void {
    const there = new Set(rooms.map(({ id }) => id))
    this.#forgetAll(this.view.roomsOf(spaceId).filter((id) => !there.has(id)))
    for (const { id, last_seq } of rooms) this.#tell(id, last_seq, 'told')
  }

  /** What is known already goes on where it is: being told anew does not excuse a gap. */
  #tell(channelId: string, lastSeq: number, origin: Origin): void {
    if (!this.channels.has(channelId)) this.channels.set(channelId, new ChannelHearing(lastSeq, origin))
  }

  #forgetAll(channelIds: readonly string[]): void {
    for (const id of channelIds) this.channels.delete(id)
  }

  #hear(message: Events['MESSAGE_CREATE']): void {
    const { tally, ledger } = this.#parts
    tally.deliveries += 1
    const channelId = channelOf(message)
    const { id, seq, content } = message
    const seen = { id, seq, content, channelId, authorId: message.author.id }
    const entry = ledger.hear(seen, this.userId)
    if (entry === undefined) return
    this.#checkSight(entry, entry.begunAt, 'a message')
    const hearing = this.channels.get(channelId)
    if (hearing === undefined) return this.#complain('unordered', 'a message of a channel not told of', entry)
    const heardAs = hearing.hear(seq)
    if (heardAs === 'old') tally.old += 1
    if (heardAs === 'late') this.#complain('unordered', 'a message came after later ones', entry)
    if (heardAs === 'again') this.#complain('doubled', 'a message was heard again', entry)
    // What a client is told is created is what it shows, whatever it heard of it before.
    hearing.changes.delete(id)
  }

  #hearEdit(message: Events['MESSAGE_UPDATE']): void {
    const change = this.channels.get(channelOf(message))?.changeOf(message.id)
    if (change !== undefined) change.content = message.content
    const entry = this.#parts.ledger.find(message.content)
    const begunAt = entry?.edits[editIn(message.content) ?? -1]
    if (entry !== undefined && begunAt !== undefined) this.#checkSight(entry, begunAt, 'an edit')
  }

  #react({ message_id, emoji, user_id, ...place }: Events['MESSAGE_REACTION_ADD'], isOn: boolean): void {
    const change = this.channels.get(channelOf(place))?.changeOf(message_id)
    if (change === undefined) return
    const users = change.reactions.get(emoji) ?? new Set()
    change.reactions.set(emoji, users)
    if (isOn) users.add(user_id)
    else users.delete(user_id)
  }

  /** What was begun after the loss of a channel was acknowledged must not be heard by who lost it. */
  #checkSight(entry: Entry, begunAt: number, what: string): void {
    const { sights } = this.#parts
    if (!sights.hasBeen('no', this.userId, entry.channelId, begunAt)) return
    this.#complain('leaked', `${what} was heard by who may not`, entry)
  }

  #complain(violation: 'unordered' | 'doubled' | 'leaked', what: string, entry: Entry): void {
    const { findings, sights } = this.#parts
    const hearing = this.channels.get(entry.channelId)
    findings.add(violation, what, {
      userId: this.userId,
      entry,
      last: hearing?.last,
      base: hearing?.base,
      sight: sights.history(this.userId, entry.channelId).slice(-6),
      trace: this.trace.lines(),
    })
  }
}

function channelOf({ room_id, conversation_id }: Place): string {
  return room_id ?? conversation_id ?? ''
}
