import type { PictureCodec, VoiceEndReason, VoiceGrant, VoiceSignal } from '@foyer/protocol/voice'
import { ApiError } from '#src/kernel/errors.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import { TestSessions } from '../check.ts'
import type { SlotChange, VoiceEvents, VoiceSession, WatchedSource } from '../engine.ts'
import type { VoiceHost } from '../hosts/hosts.ts'
import { sendSignals } from '../signals/signals.ts'
import { type Decision, evaluate } from './decisions.ts'
import type { RecheckDeps, Rechecks } from './rechecks.ts'
import type { HostedSession } from './sessions.ts'

export interface LocalHostDeps extends RecheckDeps {
  bus: Bus
  reviews: Rechecks
  /** Returns whether the end of the session's login was received since the session began. */
  isLoginOver: (session: VoiceSession) => boolean
}

/** This process as a host. Its media follows the committed state. */
export class LocalHost implements VoiceHost {
  readonly #deps: LocalHostDeps
  readonly #tests: TestSessions

  constructor(deps: LocalHostDeps) {
    this.#deps = deps
    const { engine, sessions, endings } = deps
    this.#tests = new TestSessions(engine)
    engine.on('left', ({ sessionId, reason }) => {
      const hosted = sessions.find(sessionId)
      if (hosted !== undefined && sessions.remove(hosted)) endings.add([sessionId], reason)
    })
    engine.on('slots', ({ sessionId, slots }) => this.#sendSlots(sessions.find(sessionId), slots))
    engine.on('pictures', ({ sessionId, slots, sounds }) =>
      this.#sendPictures(sessions.find(sessionId), { slots, sounds }),
    )
    engine.on('codecs', ({ sessionId, codecs }) => this.#sendCodecs(sessions.find(sessionId), codecs))
    engine.on('nodeLost', ({ sessionIds }) => {
      for (const id of sessionIds) void this.#bringBack(sessions.find(id))
    })
  }

  async join(session: VoiceSession): Promise<VoiceGrant> {
    const { sessions } = this.#deps
    // Registered first, so that no change of permissions is missed between the following read and its result.
    const hosted = this.#take(session)
    try {
      return await this.#bring(hosted)
    } catch (error) {
      sessions.remove(hosted)
      throw error
    }
  }

  async signal(sessionId: string, offer: string): Promise<string> {
    const { sessions, engine } = this.#deps
    if (sessions.find(sessionId) === undefined) throw new ApiError('unknown_voice_session')
    return engine.signal(sessionId, offer)
  }

  /** Rechecks the session, and sends its slots, pictures and codecs again, because the client may have lost them. */
  async refresh(sessionId: string): Promise<void> {
    const { sessions, reviews } = this.#deps
    const hosted = sessions.find(sessionId)
    if (hosted === undefined) return
    await reviews.recheck([hosted])
    const slots = [...hosted.slots].map(([slot, userId]) => ({ slot, userId }))
    if (slots.length > 0 && sessions.has(hosted)) this.#sendSlots(hosted, slots)
    const pictures = { slots: [...hosted.pictures.values()], sounds: [...hosted.sounds.values()] }
    if (pictures.slots.length > 0 && sessions.has(hosted)) this.#sendPictures(hosted, pictures)
    if (hosted.codecs !== undefined && sessions.has(hosted)) this.#sendCodecs(hosted, hosted.codecs)
  }

  async watch(sessionId: string, watched: readonly WatchedSource[]): Promise<void> {
    const { sessions, engine } = this.#deps
    if (sessions.find(sessionId) !== undefined) await engine.watch(sessionId, watched)
  }

  async kick(sessionId: string, reason: VoiceEndReason): Promise<void> {
    const { sessions, engine } = this.#deps
    const hosted = sessions.find(sessionId)
    if (hosted !== undefined) sessions.remove(hosted)
    await engine.kick(sessionId, reason)
  }

  /** Returns the hosted session. Registers it if it is new, or was moved to another place. */
  #take(session: VoiceSession): HostedSession {
    const { sessions } = this.#deps
    const known = sessions.find(session.id)
    if (known?.session.place.channelId === session.place.channelId) return known
    if (known !== undefined) sessions.remove(known)
    return sessions.add(session)
  }

  check(userId: string, offer: string): Promise<string> {
    return this.#tests.begin(userId, offer)
  }

  /** Starts or restarts the media of a session. */
  async #bring(hosted: HostedSession): Promise<VoiceGrant> {
    const { sessions, engine, reviews } = this.#deps
    const { session } = hosted
    hosted.rights = undefined
    hosted.isOutdated = false
    forgetMedia(hosted)
    const { rights, taken, timeoutEnd } = await this.#admit(session)
    hosted.timeoutEnd = timeoutEnd
    const grant = await engine.join(session, rights)
    // Slots and pictures of the earlier media may have been reported until now. They no longer apply.
    forgetMedia(hosted)
    hosted.rights = rights
    // After a move, the user may show video that is not allowed here.
    reviews.take(hosted, taken)
    if (hosted.isOutdated) await reviews.recheck([hosted])
    if (sessions.has(hosted)) return grant
    // The session has ended or moved in between. If it has joined here again, its new media must not end.
    if (sessions.find(session.id) === undefined) await engine.kick(session.id, 'failed')
    throw new ApiError('unknown_voice_session')
  }

  async #admit(session: VoiceSession): Promise<Decision & { kind: 'stays' }> {
    const decision: Decision | undefined = this.#deps.isLoginOver(session)
      ? { kind: 'ends', reason: 'session_ended' }
      : (await evaluate(this.#deps, [session])).get(session)
    if (decision?.kind === 'stays') return decision
    const isUnwelcome = decision?.kind === 'ends' && decision.reason !== 'session_ended'
    if (!isUnwelcome) throw new ApiError('unknown_voice_session')
    throw new ApiError(decision.reason === 'room_deleted' ? 'unknown_room' : 'missing_permission')
  }

  /** Sends a new grant to the client of a session whose media process ended. */
  async #bringBack(hosted: HostedSession | undefined): Promise<void> {
    if (hosted === undefined) return
    const { bus, reviews, log } = this.#deps
    const { id, userId } = hosted.session
    try {
      const grant = await this.#bring(hosted)
      await sendSignals(bus, [{ userId, signal: { kind: 'grant', session_id: id, grant } }])
    } catch (error) {
      log.warn({ err: error }, 'a voice session could not be resumed')
      reviews.end(hosted, 'failed')
    }
  }

  #sendSlots(hosted: HostedSession | undefined, changes: readonly SlotChange[]): void {
    if (hosted === undefined) return
    for (const change of changes) hosted.slots.set(change.slot, change.userId)
    this.#send(hosted, { kind: 'slots', session_id: hosted.session.id, slots: changes.map(toSlot) })
  }

  #sendPictures(hosted: HostedSession | undefined, changes: PictureChanges): void {
    if (hosted === undefined) return
    for (const change of changes.slots) hosted.pictures.set(change.slot, change)
    for (const change of changes.sounds) hosted.sounds.set(change.slot, change)
    const slots = changes.slots.map((change) => ({
      ...toSlot(change),
      source: change.source ?? null,
      ...(change.layer && { layer: change.layer }),
      ...(change.firstSequence !== undefined && { first_sequence: change.firstSequence }),
    }))
    const sounds = changes.sounds.map(toSlot)
    this.#send(hosted, { kind: 'pictures', session_id: hosted.session.id, slots, sounds })
  }

  #sendCodecs(hosted: HostedSession | undefined, codecs: readonly PictureCodec[]): void {
    if (hosted === undefined) return
    hosted.codecs = codecs
    this.#send(hosted, { kind: 'codecs', session_id: hosted.session.id, codecs: [...codecs] })
  }

  #send({ session: { userId } }: HostedSession, signal: VoiceSignal): void {
    const { bus, log } = this.#deps
    sendSignals(bus, [{ userId, signal }]).catch((error) =>
      log.error({ err: error, kind: signal.kind }, 'a signal about media could not be sent'),
    )
  }
}

function forgetMedia(hosted: HostedSession): void {
  hosted.slots.clear()
  hosted.pictures.clear()
  hosted.sounds.clear()
  hosted.codecs = undefined
}

type PictureChanges = Pick<VoiceEvents['pictures'], 'slots' | 'sounds'>

function toSlot({ slot, userId }: SlotChange) {
  return { slot, user_id: userId ?? null }
}
