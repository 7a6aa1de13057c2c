import type { VoiceQuality, VoiceStatus, VoiceTarget } from '@foyer/sdk/voice/status'
import type { Voice } from '@foyer/sdk/voice/voice'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loudspeaker } from './loudspeaker.ts'
import { type MicrophoneSettings, type MicrophoneState, troubleOf } from './microphone.ts'
import { isUnheard } from './unheard.ts'
import { keepSettings, readSettings, type VoiceSettings } from './voice-settings.ts'
import { keepVolumes, readVolumes, type Volumes, withVolume } from './volumes.ts'

/** What the components show of the one room or call that this browser is in. */
export interface VoiceView {
  readonly status: VoiceStatus
  readonly microphone: MicrophoneState
  /** The key of push-to-talk is held. */
  readonly isTalking: boolean
  readonly settings: VoiceSettings
  readonly volumes: Volumes
  /** Of the connection, as last measured; undefined while there is none. */
  readonly quality: VoiceQuality | undefined
}

/** A microphone's track, as far as it is handled here. */
export interface SentTrack extends Pick<MediaStreamTrack, 'enabled' | 'readyState' | 'stop'> {
  addEventListener(type: 'ended', listener: () => void): void
}

/** The part of the SDK's voice that is used here. */
export type VoiceLine = Pick<
  Voice,
  'status' | 'reconnectNow' | 'join' | 'leave' | 'setSelf' | 'onStatus' | 'onStreams' | 'quality' | 'close'
> & { setMicrophone(track: SentTrack | null): Promise<void> }

export interface VoiceParts {
  readonly voice: VoiceLine
  readonly loudspeaker: Pick<Loudspeaker, 'wake' | 'play' | 'setVolumes' | 'setOutput' | 'close'>
  readonly openMicrophone: (settings: MicrophoneSettings) => Promise<SentTrack>
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Whether anybody would hear one there. */
  readonly maySpeak: (place: VoiceTarget) => boolean
  /** Calls the listener when the page goes away. @returns what ends it */
  readonly onLeaving: (listener: () => void) => () => void
}

/** Being in a voice room or call: one at a time, whatever is on the screen. */
export class VoiceControl {
  readonly api: StoreApi<VoiceView>
  readonly #parts: VoiceParts
  #track: SentTrack | undefined
  /** Another one every time that the microphone is opened or closed: who took too long to open finds another. */
  #opening = Symbol()
  readonly #ends: readonly (() => void)[]

  constructor(parts: VoiceParts) {
    const { voice, loudspeaker, storage, onLeaving } = parts
    const [settings, volumes] = [readSettings(storage), readVolumes(storage)]
    this.#parts = parts
    this.api = createStore<VoiceView>(() => ({
      status: voice.status,
      microphone: 'closed',
      isTalking: false,
      settings,
      volumes,
      quality: undefined,
    }))
    loudspeaker.setVolumes(volumes)
    loudspeaker.setOutput(settings.output)
    this.#ends = [
      voice.onStatus((status) => this.#heedStatus(status)),
      voice.onStreams((streams) => loudspeaker.play(streams)),
      this.api.subscribe(() => this.#gate()),
      // Others need not wait until the server notices.
      onLeaving(() => this.leave()),
    ]
  }

  /**
   * Goes there, and leaves where one was. To be called while a click or a key is handled, else nothing is heard. Resolves
   * when it has come about or failed; which of them, the status says.
   */
  async join(place: VoiceTarget): Promise<void> {
    const { voice, loudspeaker, maySpeak } = this.#parts
    const { selfMute, selfDeaf } = this.api.getState().status
    loudspeaker.wake()
    // One hears before the question for the microphone is answered.
    if (maySpeak(place)) void this.openMicrophone()
    else this.#closeMicrophone()
    await voice.join(place, { mute: selfMute, deaf: selfDeaf }).catch(() => undefined)
  }

  /** To be called while a click or a key is handled: what the browser refused to play before it is played now. */
  wake(): void {
    this.#parts.loudspeaker.wake()
  }

  /** For when the network is another one. */
  reconnect(): void {
    this.#parts.voice.reconnectNow()
  }

  leave(): void {
    this.#parts.voice.leave()
    this.#closeMicrophone()
  }

  /** Who cannot hear is not heard either: unmuting lets one hear again. It asks for the microphone where there was none. */
  toggleMute(): void {
    const { voice, loudspeaker, maySpeak } = this.#parts
    const { room_id, conversation_id } = this.api.getState().status.place ?? {}
    const target = room_id ? { room_id } : { conversation_id: conversation_id ?? '' }
    loudspeaker.wake()
    if (!isUnheard(this.api.getState())) return voice.setSelf({ mute: true })
    voice.setSelf({ mute: false, deaf: false })
    if (maySpeak(target)) void this.openMicrophone()
  }

  toggleDeafen(): void {
    this.#parts.loudspeaker.wake()
    this.#parts.voice.setSelf({ deaf: !this.api.getState().status.selfDeaf })
  }

  /** The key of push-to-talk is held, or let go. */
  setTalking(isTalking: boolean): void {
    if (this.api.getState().isTalking !== isTalking) this.api.setState({ isTalking })
  }

  /** Also again, after it was refused or missing. */
  async openMicrophone(): Promise<void> {
    if (this.#track?.readyState === 'live') return
    await this.#open()
  }

  changeSettings(change: Partial<VoiceSettings>): void {
    const settings = { ...this.api.getState().settings, ...change }
    this.api.setState({ settings })
    keepSettings(this.#parts.storage, settings)
    if (change.output !== undefined) this.#parts.loudspeaker.setOutput(change.output)
    const isOtherMicrophone = ['input', 'echoCancellation', 'noiseSuppression'].some((name) => name in change)
    if (isOtherMicrophone && this.#track !== undefined) void this.#open()
  }

  /** @param percent 100 is as loud as it was sent */
  setVolume(userId: string, percent: number): void {
    const volumes = withVolume(this.api.getState().volumes, userId, percent)
    this.api.setState({ volumes })
    keepVolumes(this.#parts.storage, volumes)
    this.#parts.loudspeaker.setVolumes(volumes)
  }

  /** Finds out how good the connection is. */
  async measure(): Promise<void> {
    const quality = await this.#parts.voice.quality().catch(() => undefined)
    this.api.setState({ quality })
  }

  close(): void {
    this.#parts.voice.close()
    this.#closeMicrophone()
    for (const end of this.#ends) end()
    this.#parts.loudspeaker.close()
  }

  #heedStatus(status: VoiceStatus): void {
    this.api.setState({ status })
    const isOver = status.phase === 'idle' || status.phase === 'failed'
    if (!isOver) return
    this.#parts.loudspeaker.play([])
    this.#closeMicrophone()
  }

  async #open(): Promise<void> {
    const opening = Symbol()
    this.#opening = opening
    if (this.#track === undefined) this.api.setState({ microphone: 'opening' })
    try {
      const track = await this.#parts.openMicrophone(this.api.getState().settings)
      if (this.#opening !== opening) return track.stop()
      this.#use(track)
    } catch (error) {
      if (this.#opening === opening) this.#lose(troubleOf(error))
    }
  }

  #use(track: SentTrack): void {
    this.#track?.stop()
    this.#track = track
    track.addEventListener('ended', () => this.#track === track && this.#lose('missing'))
    this.api.setState({ microphone: 'open' })
    this.#gate()
    this.#send(track)
  }

  #lose(microphone: MicrophoneState): void {
    this.#track?.stop()
    this.#track = undefined
    this.api.setState({ microphone })
    this.#send(null)
  }

  #closeMicrophone(): void {
    this.#opening = Symbol()
    if (this.api.getState().microphone === 'closed') return
    this.#lose('closed')
  }

  #send(track: SentTrack | null): void {
    // Refused only by a connection that is ending; the next one takes the microphone along.
    this.#parts.voice.setMicrophone(track).catch(() => undefined)
  }

  /** Nothing leaves the browser of who is muted, whatever the server does. */
  #gate(): void {
    if (this.#track === undefined) return
    const { status, settings, isTalking } = this.api.getState()
    const isQuiet = status.selfMute || status.selfDeaf || (settings.mode === 'push_to_talk' && !isTalking)
    this.#track.enabled = !isQuiet
  }
}
