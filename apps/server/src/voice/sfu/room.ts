import type { PictureCodec } from '@foyer/protocol/voice'
import type { MediaRights, SlotChange } from '../engine.ts'
import type { Member } from './member.ts'
import type { Route } from './publisher.ts'
import { chooseSlots } from './slots.ts'
import type { PictureChanges } from './video/picture-viewer.ts'
import { addRoute, assignPictures, chooseAllLayers, reportLayers, routePictures } from './video/routes.ts'
import { SharedCodecs } from './video/shared-codecs.ts'

const MIN_MS_BETWEEN_SPEAKERS = 200
/** Layers are chosen at this interval: senders turn them on and off as their network and processor allow. */
const MS_BETWEEN_CHOICES = 100
/** Interval of layer reports to clients, for display. The number of key frames does not affect it. */
const MS_BETWEEN_LAYER_REPORTS = 1000

export interface RoomListener {
  onSlots(sessionId: string, slots: readonly SlotChange[]): void
  onPictures(sessionId: string, changes: PictureChanges): void
  /** @param codecs the codecs in which the session may send pictures */
  onCodecs(sessionId: string, codecs: readonly PictureCodec[]): void
  onSpeaking(userIds: readonly string[]): void
}

/** The members of one place. Assigns speakers to slots, and tracks the speakers. */
export class Room {
  readonly #listener: RoomListener
  /** In order of arrival. */
  readonly #members = new Set<Member>()
  readonly #codecs = new SharedCodecs()
  /** True if a picture or a layer has begun. The next tick handles it, so that the work does not grow with the rate of packets. */
  hasNewPictures = false
  #sentSpeakers = ''
  #sentSpeakersAt = Number.NEGATIVE_INFINITY
  #chosenAt = 0
  #layersReportedAt = 0

  constructor(listener: RoomListener) {
    this.#listener = listener
  }

  get members(): ReadonlySet<Member> {
    return this.#members
  }

  enter(member: Member): void {
    this.#members.add(member)
  }

  /** Called when the member's offer has arrived, and media starts. */
  begin(nowMs: number): void {
    this.#assign(() => true)
    this.changePictures(nowMs)
  }

  leave(member: Member, nowMs: number): void {
    if (!this.#members.delete(member)) return
    this.#assign(() => true)
    this.changePictures(nowMs)
    this.#sendSpeakers(nowMs)
  }

  setRights(member: Member, rights: MediaRights, nowMs: number): void {
    const heardBefore = member.rights.canHear
    member.rights = rights
    member.publisher?.setCanSpeak(rights.canSpeak, nowMs)
    if (!heardBefore) for (const splice of member.splices) splice.restart()
    member.pictures?.setRights(rights, nowMs)
    this.#assignSpeakers()
    this.#route()
    this.changePictures(nowMs)
    this.#sendSpeakers(nowMs)
  }

  /** Called when a member's media is connected. */
  connected(nowMs: number): void {
    this.#route()
    routePictures(this.#members)
    this.#shareCodecs(nowMs)
  }

  /** Assigns pictures again: called when a picture begins or ends, or a member watches other pictures. */
  changePictures(nowMs: number): void {
    this.hasNewPictures = false
    assignPictures(this.#members, this.#notify)
    this.#assignSpeakers()
    chooseAllLayers(this.#members, nowMs)
    this.#chosenAt = nowMs
    routePictures(this.#members)
    this.#shareCodecs(nowMs)
  }

  speaks(nowMs: number): void {
    this.#assignSpeakers()
    this.#sendSpeakers(nowMs)
  }

  /** Removes speakers who have been silent long enough, and sends delayed changes. */
  tick(nowMs: number): void {
    const ended = [...this.#members].filter(({ publisher }) => publisher?.activity.endsAt(nowMs))
    if (ended.length > 0) this.#assignSpeakers()
    if (this.hasNewPictures) this.changePictures(nowMs)
    this.#chooseLayers(nowMs)
    this.#reportLayers(nowMs)
    this.#tickPictures(nowMs)
    this.#sendSpeakers(nowMs)
  }

  /** Sends the video packets that are due. Called every few milliseconds. */
  pace(nowMs: number): void {
    for (const { pictures } of this.#members) pictures?.pace(nowMs)
  }

  #tickPictures(nowMs: number): void {
    const speakers = [...this.#members].filter(({ isSpeaking }) => isSpeaking).length
    for (const { peer, publisher, pictures, isSpeaking, rights } of this.#members) {
      publisher?.report(nowMs)
      pictures?.report(nowMs)
      const heard = rights.canHear ? speakers - (isSpeaking ? 1 : 0) : 0
      if (peer) pictures?.tick(peer, heard, nowMs)
    }
  }

  #chooseLayers(nowMs: number): void {
    if (nowMs - this.#chosenAt < MS_BETWEEN_CHOICES) return
    this.#chosenAt = nowMs
    if (chooseAllLayers(this.#members, nowMs)) routePictures(this.#members)
  }

  #reportLayers(nowMs: number): void {
    if (nowMs - this.#layersReportedAt < MS_BETWEEN_LAYER_REPORTS) return
    this.#layersReportedAt = nowMs
    reportLayers(this.#members, this.#notify, nowMs)
    this.#shareCodecs(nowMs)
  }

  #shareCodecs(nowMs: number): void {
    const notify = ({ sessionId }: Member, codecs: readonly PictureCodec[]) =>
      this.#listener.onCodecs(sessionId, codecs)
    this.#codecs.update(this.#members, nowMs, notify)
  }

  readonly #notify = ({ sessionId }: Member, changes: PictureChanges): void => {
    this.#listener.onPictures(sessionId, changes)
  }

  /**
   * Assigns voice slots again to members who lack a slot for a speaker, or receive a user's voice and camera in
   * different pairs. Usually there are no such members.
   */
  #assignSpeakers(): void {
    const speakers = [...this.#members].filter(({ isSpeaking }) => isSpeaking)
    this.#assign(
      (member) =>
        isApart(member) || speakers.some((speaker) => speaker !== member && !member.heard.includes(speaker)),
    )
  }

  #assign(isAffected: (member: Member) => boolean): void {
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
      camerasBeside(member, present),
    )
    const changes = [...member.heard.entries()].filter(([slot, heard]) => heard !== before[slot])
    if (changes.length === 0) return
    for (const [slot] of changes) member.splices[slot]?.restart()
    this.#listener.onSlots(
      member.sessionId,
      changes.map(([slot, heard]) => ({ slot, userId: heard?.userId })),
    )
  }

  /** Stores the receivers of each publisher, so that a packet needs no look-up. */
  #route(): void {
    const routes = new Map<Member, Route[]>()
    for (const listener of this.#members) addRoutesTo(listener, routes)
    for (const member of this.#members) {
      if (member.publisher) member.publisher.routes = routes.get(member) ?? []
    }
  }

  #sendSpeakers(nowMs: number): void {
    if (nowMs - this.#sentSpeakersAt < MIN_MS_BETWEEN_SPEAKERS) return
    const userIds = [...this.#members].filter(({ isSpeaking }) => isSpeaking).map(({ userId }) => userId)
    const speakers = userIds.join()
    if (speakers === this.#sentSpeakers) return
    this.#sentSpeakers = speakers
    this.#sentSpeakersAt = nowMs
    this.#listener.onSpeaking(userIds)
  }
}

/** Returns for each voice slot the member whose camera is in the picture slot of the same pair. */
function camerasBeside(
  { heard, pictures }: Member,
  present: readonly Member[],
): readonly (Member | undefined)[] {
  if (pictures === undefined) return []
  return pictures.viewer.slots.slice(0, heard.length).map(({ picture }) => {
    if (picture?.source !== 'camera') return undefined
    return present.find(({ userId }) => userId === picture.userId)
  })
}

/** Returns whether the voice and the camera of any user are in different pairs. */
function isApart({ heard, pictures }: Member): boolean {
  return (
    pictures?.viewer.slots.some(({ picture }, slot) => {
      if (picture?.source !== 'camera' || slot >= heard.length || heard[slot]?.userId === picture.userId)
        return false
      return heard.some((member) => member?.userId === picture.userId)
    }) === true
  )
}

function addRoutesTo(
  { peer, isConnected, rights, splices, heard, pictures }: Member,
  routes: Map<Member, Route[]>,
): void {
  if (!peer || !isConnected || !rights.canHear) return
  const takesReports = pictures !== undefined
  for (const [slot, splice] of splices.entries())
    addRoute(routes, heard[slot], { splice, peer, takesReports })
}
