import { followLevels, type OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Entry } from '../world/ledger.ts'
import { FORBIDDEN } from '../world/restrictions.ts'
import type { Sight } from '../world/sight.ts'
import { type KnownThread, type ThreadedRoom, threadChannel } from '../world/threads.ts'
import { type ActorParts, FORBIDDEN_SHARE, randomText } from './actor-parts.ts'
import type { Answer } from './ask.ts'

export interface ThreadActorParts extends ActorParts {
  /** Rooms that the user may be in, now or later. */
  rooms: readonly ThreadedRoom[]
}

const TRESPASS_SHARE = 0.04

/** A user who begins threads and posts, writes in them, and follows and reads them, one step at a time. */
export class ThreadActor {
  readonly #parts: ThreadActorParts

  constructor(parts: ThreadActorParts) {
    this.#parts = parts
  }

  /** Usually sends a message. */
  async act(): Promise<void> {
    const { dice, ledger } = this.#parts
    const roll = dice.next()
    const room = this.#pickRoom(dice.chance(TRESPASS_SHARE) ? 'no' : 'yes')
    const thread = room && ledger.threads.pickBusy(room.id, dice)
    if (room === undefined) return
    if (thread === undefined || roll < 0.15) return this.#begin(room)
    if (roll < 0.22) return this.#follow(thread)
    if (roll < 0.3) return this.#read(thread)
    if (roll < 0.34) return this.#rename(room)
    return this.#write(thread)
  }

  /** Begins a thread. The request has no nonce, so a repeated request begins another thread with another opening message. */
  async #begin(room: ThreadedRoom): Promise<void> {
    const { person, dice, ledger, recent, asker } = this.#parts
    const title = ledger.threads.newTitle()
    const begunAt = performance.now()
    const starter =
      !room.isForum && dice.chance(0.5) ? recent.pickIn(threadChannel(room.id), dice) : undefined
    const hasMessage = room.isForum || dice.chance(0.7)
    const openings: Entry[] = []
    const body = {
      title,
      ...(starter?.id !== undefined && { message_id: starter.id }),
      ...(room.isForum && { tags: dice.shuffle(room.tags).slice(0, dice.below(3)) }),
    }
    const answer = await asker.ask(() => {
      for (const earlier of openings) earlier.outcome = 'unclear'
      const opening = hasMessage ? this.#entry('', room, '') : undefined
      if (opening !== undefined) openings.push(opening)
      const content = opening === undefined ? {} : { content: opening.content }
      return person.client.api(ThreadRooms).create(room.id, { ...body, ...content })
    })
    const opening = openings.at(-1)
    if (answer.kind === 'done') this.#note(answer.result, room, opening, begunAt)
    else if (opening !== undefined) opening.outcome = answer.kind
    this.#check(answer, room, { begunAt, isSteady: starter === undefined })
  }

  #note({ id }: OwnThread, room: ThreadedRoom, opening: Entry | undefined, begunAt: number): void {
    const { person, ledger, recent } = this.#parts
    ledger.threads.add({ id, room, creatorId: person.id, begunAt, wasClosed: false })
    if (opening === undefined) return
    ledger.acknowledgeOpening(opening, id)
    recent.add(threadChannel(id), opening)
  }

  async #write(thread: KnownThread): Promise<void> {
    const { person, asker, ledger, recent, dice } = this.#parts
    const isForbidden = dice.chance(FORBIDDEN_SHARE)
    const entry = this.#entry(thread.id, thread.room, isForbidden ? `${FORBIDDEN} ` : '')
    const body = { content: entry.content, nonce: `chaos ${entry.number}` }
    const answer = await asker.ask(() => person.client.messages.create(thread.id, body))
    if (answer.kind === 'done') {
      const { id, seq, content, author } = answer.result
      ledger.acknowledge(entry, { id, seq, content, channelId: thread.id, authorId: author.id })
      recent.add(threadChannel(thread.id), entry)
    } else entry.outcome = answer.kind
    const isSteady = !thread.wasClosed && !ledger.threads.isLeaving(thread.id)
    this.#check(answer, thread.room, { begunAt: entry.begunAt, isSteady, isForbidden })
  }

  async #follow(thread: KnownThread): Promise<void> {
    const { person, dice, asker, ledger } = this.#parts
    const begunAt = performance.now()
    const threads = person.client.api(ThreadRooms)
    const level = dice.pick([...followLevels, undefined])
    const answer = await asker.ask<unknown>(() =>
      level === undefined ? threads.unfollow(thread.id) : threads.follow(thread.id, level),
    )
    const isSteady = !ledger.threads.isLeaving(thread.id)
    this.#checkSight(answer, thread.room, { begunAt, isSteady })
  }

  async #read(thread: KnownThread): Promise<void> {
    const { person, asker, recent, dice } = this.#parts
    const begunAt = performance.now()
    const id = recent.pickIn(threadChannel(thread.id), dice)?.id
    if (id === undefined) return
    const answer = await asker.ask(() => person.client.messages.ack(thread.id, id))
    // The author may have deleted the message, and the owner may have moved it.
    this.#checkSight(answer, thread.room, { begunAt, isSteady: false })
  }

  /** Renames a thread of the user. Only its creator and the owner may do that. */
  async #rename(room: ThreadedRoom): Promise<void> {
    const { person, asker, ledger, dice } = this.#parts
    const own = ledger.threads.standing(room.id).filter(({ creatorId }) => creatorId === person.id)
    const thread = dice.pick(own)
    if (thread === undefined) return
    const begunAt = performance.now()
    const title = ledger.threads.newTitle()
    const answer = await asker.ask(() => person.client.api(ThreadRooms).update(thread.id, { title }))
    const isSteady = !thread.wasClosed && !ledger.threads.isLeaving(thread.id)
    this.#check(answer, room, { begunAt, isSteady })
  }

  #entry(channelId: string, room: ThreadedRoom, prefix: string): Entry {
    const { ledger, person, dice } = this.#parts
    const text = prefix + randomText(dice)
    return ledger.begin(channelId, person.id, text, room.id)
  }

  #pickRoom(sight: Sight): ThreadedRoom | undefined {
    const { rooms, sights, person, dice } = this.#parts
    return dice.pick(rooms.filter(({ id }) => sights.now(person.id, id) === sight))
  }

  /** Reports a success without the right to write, and a refusal despite that right. */
  #check(answer: Answer<unknown>, room: ThreadedRoom, act: Act): void {
    const { rights } = this.#parts
    const { begunAt, isSteady, isForbidden = false } = act
    const breach = answer.kind === 'done' ? rights.breachOf(room.id, begunAt, isForbidden) : undefined
    if (breach !== undefined) this.#complain('leaked', `${breach} in a thread`, room, answer)
    const mayWrite = rights.mayWrite(room.id, begunAt, isForbidden)
    this.#checkSight(answer, room, { begunAt, isSteady: isSteady && mayWrite })
  }

  #checkSight(answer: Answer<unknown>, room: ThreadedRoom, { begunAt, isSteady }: Act): void {
    const { rights } = this.#parts
    if (answer.kind === 'done' && rights.isShutOut(room.id, begunAt))
      this.#complain('leaked', 'a user could use a thread without access', room, answer)
    if (answer.kind === 'refused' && isSteady && rights.maySee(room.id, begunAt))
      this.#complain('refused', 'a user could not use a thread despite access', room, answer)
    if (answer.kind === 'unclear')
      this.#complain('stuck', 'a request about a thread was never answered', room, answer)
  }

  #complain(
    violation: 'leaked' | 'refused' | 'stuck',
    what: string,
    room: ThreadedRoom,
    answer: Answer<unknown>,
  ): void {
    const { person, sights, findings } = this.#parts
    const sight = sights.history(person.id, room.id).slice(-6)
    findings.add(violation, what, { userId: person.id, roomId: room.id, answer, sight })
  }
}

/** Facts about a step that decide which answers are correct. */
interface Act {
  begunAt: number
  /** False if other users may have changed the thread or the message so that the request is refused. */
  isSteady: boolean
  isForbidden?: boolean
}
