import { Opcode } from '@foyer/protocol/gateway'
import { VIDEO_SLOTS } from '@foyer/protocol/voice'
import type { Page, WebSocketRoute } from 'playwright-core'

declare global {
  interface Window {
    /** Answers an offer with a peer in the same page, which sends the page's own camera and screen back. */
    answerOffer: (sdp: string) => Promise<string>
  }
}

const SESSION = '01a00000-0000-7000-8000-000000000001'
const JOINED_AT = '2026-01-01T00:00:00.000Z'
const NO_FLAGS = { self_mute: false, self_deaf: false, self_video: false, self_stream: false }
type Flags = Partial<typeof NO_FLAGS>

interface ScriptedVoiceOptions {
  /** Room or conversation. */
  readonly place: { space_id: string | null; room_id: string | null; conversation_id: string | null }
  readonly userId: string
  /** Another user. Their camera and screen show the videos that the page itself sends. */
  readonly otherId: string
  /** False for a server that supports no video. */
  readonly hasVideo?: boolean
}

/** Replaces the server for voice commands, so that a test controls the answers. All other commands reach the server. */
export class ScriptedVoice {
  /** Watch lists that the page has sent, with entries like `camera <user id>`. */
  readonly watched: string[][] = []
  /** For each list of `watched`: the heights that the page has requested, by entry of the list. */
  readonly heights: Readonly<Record<string, number | undefined>>[] = []
  /** Error code with which the next change of flags is refused; null accepts the change. */
  refusal: string | null = null
  readonly #page: Page
  readonly #options: ScriptedVoiceOptions
  #socket: WebSocketRoute | undefined
  #own: Flags = {}
  #other: Flags = {}

  static async begin(page: Page, options: ScriptedVoiceOptions): Promise<ScriptedVoice> {
    const voice = new ScriptedVoice(page, options)
    await page.addInitScript(installEcho)
    await page.routeWebSocket(/\/gateway/, (socket) => {
      const server = socket.connectToServer()
      voice.#socket = socket
      socket.onMessage((message) => {
        const { op, d } = JSON.parse(String(message))
        if (op === Opcode.VoiceStateUpdate) voice.#takeFlags(d)
        else if (op === Opcode.VoiceSignal) void voice.#takeSignal(d)
        else server.send(message)
      })
    })
    return voice
  }

  private constructor(page: Page, options: ScriptedVoiceOptions) {
    this.#page = page
    this.#options = options
  }

  /** Changes flags of the other user, and announces them. */
  setOther(flags: Flags): void {
    this.#other = { ...this.#other, ...flags }
    this.#announce(this.#options.otherId, this.#other)
  }

  /** Changes the flags of the page's user, as the server does when it takes a permission away. */
  takeAway(flags: Flags): void {
    this.#own = { ...this.#own, ...flags }
    this.#announce(this.#options.userId, this.#own)
  }

  #takeFlags({ room_id, conversation_id, session_id, nonce, ...flags }: Record<string, unknown>): void {
    const isLeaving = !room_id && !conversation_id
    const { refusal } = this
    this.refusal = null
    if (refusal !== null && session_id !== null)
      return this.#send(Opcode.Error, { code: refusal, error: refusal, nonce })
    this.#own = { ...NO_FLAGS, ...flags }
    this.#announce(this.#options.userId, this.#own, isLeaving)
    if (session_id !== null || isLeaving) return
    const video = this.#options.hasVideo === false ? null : { slots: VIDEO_SLOTS, sounds: 2 }
    const grant = { driver: 'slots', ice_servers: [], slots: 8, video }
    this.#signal({ kind: 'grant', session_id: SESSION, grant, nonce })
    this.#announce(this.#options.otherId, this.#other)
  }

  async #takeSignal(signal: { kind: string; sdp?: string; watched?: Watched[] }): Promise<void> {
    if (signal.kind === 'watch') return this.#show(signal.watched ?? [])
    const sdp = await this.#page.evaluate((offer) => window.answerOffer(offer), signal.sdp ?? '')
    this.#signal({ kind: 'answer', session_id: SESSION, sdp })
  }

  /** Gives the first slot to the other user's camera, and the second to their screen. */
  #show(watched: readonly Watched[]): void {
    this.watched.push(watched.map(({ user_id, source }) => `${source} ${user_id}`))
    this.heights.push(
      Object.fromEntries(watched.map(({ user_id, source, height }) => [`${source} ${user_id}`, height])),
    )
    const { otherId } = this.#options
    const slots = (['camera', 'screen'] as const).map((source, slot) => {
      const isWatched = watched.some((one) => one.user_id === otherId && one.source === source)
      return { slot, user_id: isWatched ? otherId : null, source: isWatched ? source : null }
    })
    const sounds = [{ slot: 0, user_id: slots[1]?.user_id ?? null }]
    this.#signal({ kind: 'pictures', session_id: SESSION, slots, sounds })
  }

  #announce(userId: string, flags: Flags, isLeaving = false): void {
    const nowhere = { room_id: null, conversation_id: null }
    const state = {
      user_id: userId,
      session_id: userId === this.#options.userId ? SESSION : userId,
      ...this.#options.place,
      ...(isLeaving ? nowhere : {}),
      ...NO_FLAGS,
      ...flags,
      mute: false,
      deaf: false,
      joined_at: JOINED_AT,
    }
    this.#socket?.send(JSON.stringify({ op: Opcode.Dispatch, t: 'VOICE_STATE_UPDATE', d: state }))
  }

  #signal(signal: object): void {
    this.#send(Opcode.VoiceSignal, signal)
  }

  #send(op: number, d: object): void {
    this.#socket?.send(JSON.stringify({ op, d }))
  }
}

interface Watched {
  readonly height?: number
  readonly user_id: string
  readonly source: string
}

/** Runs in the page. */
function installEcho(): void {
  window.answerOffer = async (sdp) => {
    const peer = new RTCPeerConnection()
    await peer.setRemoteDescription({ type: 'offer', sdp })
    const sends = sdp
      .split(/^m=/m)
      .slice(1)
      .map((line) => line.includes('a=sendonly'))
    const lines = peer.getTransceivers().map((line, at) => ({ line, isSent: sends[at] === true }))
    const ofKind = (kind: string, isSent: boolean) =>
      lines.filter(({ line, isSent: is }) => line.receiver.track.kind === kind && is === isSent)
    const [, sound] = ofKind('audio', true)
    const [camera, screen] = ofKind('video', true)
    const [firstPicture, secondPicture] = ofKind('video', false)
    const firstSound = ofKind('audio', false)[8]
    for (const [from, to] of [
      [camera, firstPicture],
      [screen, secondPicture],
      [sound, firstSound],
    ]) {
      if (from === undefined || to === undefined) continue
      to.line.direction = 'sendonly'
      await to.line.sender.replaceTrack(from.line.receiver.track)
    }
    await peer.setLocalDescription(await peer.createAnswer())
    await new Promise<void>((resolve) => {
      const end = () => peer.iceGatheringState === 'complete' && resolve()
      peer.addEventListener('icegatheringstatechange', end)
      end()
    })
    return peer.localDescription?.sdp ?? ''
  }
}
