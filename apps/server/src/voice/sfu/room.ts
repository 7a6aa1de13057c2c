import type { MediaRights, SlotChange } from '../engine.ts'
import type { Member } from './member.ts'
import type { Route } from './publisher.ts'
import { chooseSlots } from './slots.ts'

const MIN_MS_BETWEEN_TELLS = 200

export interface RoomListener {
  onSlots(sessionId: string, slots: readonly SlotChange[]): void
  onSpeaking(userIds: readonly string[]): void
}

/** Who is together in one place: seats the speakers in everybody's slots, and knows who speaks. */
export class Room {
  readonly #listener: RoomListener
  /** In the order in which they came. */
  readonly #members = new Set<Member>()
  #toldSpeakers = ''
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(listener: RoomListener) {
    this.#listener = listener
  }

  get members(): ReadonlySet<Member> {
    return this.#members
  }

  enter(member: Member): void {
    this.#members.add(member)
  }

  /** The member's offer has come: it hears and is heard from now on. */
  begin(): void {
    this.#seat(() => true)
  }

  leave(member: Member, nowMs: number): void {
    if (!this.#members.delete(member)) return
    this.#seat(() => true)
    this.#tellSpeakers(nowMs)
  }

  setRights(member: Member, rights: MediaRights, nowMs: number): void {
    const heardBefore = member.rights.canHear
    member.rights = rights
    member.publisher?.setCanSpeak(rights.canSpeak, nowMs)
    if (!heardBefore) for (const splice of member.splices) splice.restart()
    this.#seatSpeakers()
    this.#route()
    this.#tellSpeakers(nowMs)
  }

  /** A member has become reachable, or begins to speak. */
  connected(): void {
    this.#route()
  }

  speaks(nowMs: number): void {
    this.#seatSpeakers()
    this.#tellSpeakers(nowMs)
  }

  /** Time has passed: those who are silent long enough have ended, and what was held back is told. */
  tick(nowMs: number): void {
    const ended = [...this.#members].filter(({ publisher }) => publisher?.activity.endsAt(nowMs))
    if (ended.length > 0) this.#seatSpeakers()
    this.#tellSpeakers(nowMs)
  }

  /** Only those in whose slots a speaker is missing: with a slot for everybody, nobody. */
  #seatSpeakers(): void {
    const speakers = [...this.#members].filter(({ isSpeaking }) => isSpeaking)
    this.#seat((member) => speakers.some((speaker) => speaker !== member && !member.heard.includes(speaker)))
  }

  #seat(isAffected: (member: Member) => boolean): void {
    const present = [...this.#members].filter(({ peer }) => peer !== undefined)
    const affected = present.filter(isAffected)
    for (const member of affected) this.#seatFor(member, present)
    if (affected.length > 0) this.#route()
  }

  #seatFor(member: Member, present: readonly Member[]): void {
    const before = member.heard
    member.heard = chooseSlots(
      before,
      present.filter((other) => other !== member),
    )
    const changes = [...member.heard.entries()].filter(([slot, heard]) => heard !== before[slot])
    if (changes.length === 0) return
    for (const [slot] of changes) member.splices[slot]?.restart()
    this.#listener.onSlots(
      member.sessionId,
      changes.map(([slot, heard]) => ({ slot, userId: heard?.userId })),
    )
  }

  /** Writes down for every publisher where its packets go, so that a packet costs no look-up. */
  #route(): void {
    const routes = new Map<Member, Route[]>()
    for (const listener of this.#members) addRoutesTo(listener, routes)
    for (const member of this.#members) {
      if (member.publisher) member.publisher.routes = routes.get(member) ?? []
    }
  }

  #tellSpeakers(nowMs: number): void {
    if (nowMs - this.#toldAt < MIN_MS_BETWEEN_TELLS) return
    const userIds = [...this.#members].filter(({ isSpeaking }) => isSpeaking).map(({ userId }) => userId)
    const speakers = userIds.join()
    if (speakers === this.#toldSpeakers) return
    this.#toldSpeakers = speakers
    this.#toldAt = nowMs
    this.#listener.onSpeaking(userIds)
  }
}

function addRoutesTo(
  { peer, isConnected, rights, splices, heard }: Member,
  routes: Map<Member, Route[]>,
): void {
  if (!peer || !isConnected || !rights.canHear) return
  for (const [slot, splice] of splices.entries()) {
    const speaker = heard[slot]
    if (!speaker) continue
    const route = { splice, peer }
    const others = routes.get(speaker)
    if (others) others.push(route)
    else routes.set(speaker, [route])
  }
}
