import type { EventName, Events } from '@foyer/protocol/events'
import type { Gateway } from '@foyer/sdk/gateway'
import type { EventMeta } from '@foyer/sdk/subscribers'
import type { Findings } from '../audit/findings.ts'
import { type Entry, editIn, type Ledger } from '../world/ledger.ts'
import type { Sights } from '../world/sight.ts'
import { ChannelRecord, type Origin } from './channel-record.ts'
import { ThreadListener } from './thread-listener.ts'
import { Trace } from './trace.ts'
import { View } from './view.ts'

/** Counts over all clients. */
export interface Tally {
  journaled: number
  deliveries: number
  /** Messages up to the `base` of their channel that the client received nevertheless, such as in a replay. */
  old: number
  resumes: number
  replayed: number
  readies: number
}

export interface RecorderParts {
  userId: string
  /** Capabilities that the client sent to the gateway. */
  capabilities: readonly string[]
  ledger: Ledger
  sights: Sights
  findings: Findings
  tally: Tally
}

type ChannelIds = Pick<Events['MESSAGE_DELETE'], 'room_id' | 'conversation_id'>
type Handlers = { [Name in EventName]?: (data: Events[Name]) => void }

/** Receives the events of one client and checks them at once. */
export class Recorder {
  readonly userId: string
  readonly channels = new Map<string, ChannelRecord>()
  readonly view: View
  readonly threads: ThreadListener
  readonly trace = new Trace()
  isReady = false
  /** Thread in which the client last received each moved message. */
  readonly #lastThreads = new Map<Entry, string>()
  readonly #parts: RecorderParts
  readonly #handlers: Handlers = {
    READY: ({ spaces, conversations }) =>
      this.#begin([...spaces.flatMap(({ rooms }) => rooms), ...conversations]),
    RESUMED: ({ replayed }) => {
      this.#parts.tally.resumes += 1
      this.#parts.tally.replayed += replayed
    },
    SPACE_CREATE: ({ id, rooms }) => this.#enterSpace(id, rooms),
    SPACE_DELETE: ({ space_id }) => this.#forgetAll(this.view.roomsOf(space_id)),
    ROOM_CREATE: ({ id, last_seq }) => this.#announce(id, last_seq, 'event'),
    ROOM_DELETE: ({ room_id }) => this.#forgetAll([room_id]),
    CONVERSATION_CREATE: ({ id, last_seq }) => this.#announce(id, last_seq, 'event'),
    CONVERSATION_DELETE: ({ conversation_id }) => this.#forgetAll([conversation_id]),
    MESSAGE_CREATE: (message) => this.#receive(message),
    MESSAGE_UPDATE: (message) => this.#receiveEdit(message),
    MESSAGE_DELETE: ({ id, ...channel }) => this.#drop(channel, [id]),
    MESSAGE_DELETE_BULK: ({ ids, ...channel }) => this.#drop(channel, ids),
    THREAD_CREATE: ({ id }) => this.#announce(id, 0, 'event'),
    THREAD_DELETE: ({ id }) => void this.channels.delete(id),
    MESSAGE_REACTION_ADD: (change) => this.#react(change, true),
    MESSAGE_REACTION_REMOVE: (change) => this.#react(change, false),
  }

  constructor(gateway: Pick<Gateway, 'onAny' | 'onState'>, parts: RecorderParts) {
    this.userId = parts.userId
    this.#parts = parts
    this.view = new View(parts.userId)
    this.threads = new ThreadListener(parts)
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
    this.threads.note(name, data, s)
    const handler: Handlers[Name] = this.#handlers[name]
    handler?.(data)
    // Applied last, because handlers look up what an event removes.
    this.view.apply(name, data)
  }

  /** Forgets everything, and starts with the channels of a READY. */
  #begin(channels: readonly { id: string; last_seq: number }[]): void {
    this.#parts.tally.readies += 1
    this.channels.clear()
    for (const { id, last_seq } of channels) this.channels.set(id, new ChannelRecord(last_seq, 'ready'))
  }

  #enterSpace(spaceId: string, rooms: readonly { id: string; last_seq: number }[]): void {
    const there = new Set(rooms.map(({ id }) => id))
    this.#forgetAll(this.view.roomsOf(spaceId).filter((id) => !there.has(id)))
    for (const { id, last_seq } of rooms) this.#announce(id, last_seq, 'event')
  }

  /** Records a new channel. Keeps the record of a known channel, so that a second announcement does not hide a gap. */
  #announce(channelId: string, lastSeq: number, origin: Origin): void {
    if (!this.channels.has(channelId)) this.channels.set(channelId, new ChannelRecord(lastSeq, origin))
  }

  /** Forgets channels and, if they are rooms, their threads. */
  #forgetAll(channelIds: readonly string[]): void {
    for (const id of channelIds)
      for (const forgotten of [id, ...this.threads.view.leave(id)]) this.channels.delete(forgotten)
  }

  #drop(channel: ChannelIds, ids: readonly string[]): void {
    const record = this.channels.get(channelOf(channel))
    if (record !== undefined) for (const id of ids) record.changeOf(id).isDeleted = true
  }

  #receive(message: Events['MESSAGE_CREATE']): void {
    const { tally, ledger } = this.#parts
    tally.deliveries += 1
    const channelId = channelOf(message)
    const { id, seq, content } = message
    const seen = { id, seq, content, channelId, authorId: message.author.id }
    const entry = ledger.receive(seen, this.userId)
    if (entry === undefined) return
    this.#checkSight(entry, entry.begunAt, 'a message')
    // A thread that existed before the client received its room is known from its next message on.
    if (message.parent_room_id !== undefined) this.#announce(channelId, seq - 1, 'event')
    const record = this.channels.get(channelId)
    if (record === undefined) return this.#complain('unordered', 'a message of an unknown channel', entry)
    const arrival = record.receive(seq)
    if (arrival === 'old') tally.old += 1
    if (arrival === 'late') this.#complain('unordered', 'a message arrived after later ones', entry)
    if (arrival === 'again' && !this.#isMovedAgain(entry, channelId))
      this.#complain('doubled', 'a message was delivered again', entry)
    if (entry.moves.length > 0) this.#lastThreads.set(entry, channelId)
    // A created message replaces all changes received for it before.
    record.changes.delete(id)
  }

  /**
   * Returns true if a replay has just brought the message's creation in its former thread, which the client could not see then.
   * The SDK then accepts the message's later events again, so that the message returns to its present thread.
   */
  #isMovedAgain(entry: Entry, channelId: string): boolean {
    const last = this.#lastThreads.get(entry)
    return last !== undefined && last !== channelId && entry.moves.includes(channelId)
  }

  #receiveEdit(message: Events['MESSAGE_UPDATE']): void {
    const change = this.channels.get(channelOf(message))?.changeOf(message.id)
    if (change !== undefined) change.content = message.content
    const entry = this.#parts.ledger.find(message.content)
    const begunAt = entry?.edits[editIn(message.content) ?? -1]
    if (entry !== undefined && begunAt !== undefined) this.#checkSight(entry, begunAt, 'an edit')
  }

  #react({ message_id, emoji, user_id, ...channel }: Events['MESSAGE_REACTION_ADD'], isOn: boolean): void {
    const change = this.channels.get(channelOf(channel))?.changeOf(message_id)
    if (change === undefined) return
    const users = change.reactions.get(emoji) ?? new Set()
    change.reactions.set(emoji, users)
    if (isOn) users.add(user_id)
    else users.delete(user_id)
  }

  /** Reports a message or edit that was begun after the client's loss of access to the channel was acknowledged. */
  #checkSight(entry: Entry, begunAt: number, what: string): void {
    const { sights } = this.#parts
    if (!sights.hasBeen('no', this.userId, entry.roomId, begunAt)) return
    this.#complain('leaked', `${what} was delivered without access`, entry)
  }

  #complain(violation: 'unordered' | 'doubled' | 'leaked', what: string, entry: Entry): void {
    const { findings, sights } = this.#parts
    const record = this.channels.get(entry.channelId)
    findings.add(violation, what, {
      userId: this.userId,
      entry,
      last: record?.last,
      base: record?.base,
      sight: sights.history(this.userId, entry.roomId).slice(-6),
      trace: this.trace.lines(),
    })
  }
}

function channelOf({ room_id, conversation_id }: ChannelIds): string {
  return room_id ?? conversation_id ?? ''
}
