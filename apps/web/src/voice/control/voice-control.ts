import type { VoiceQuality, VoiceStatus, VoiceTarget } from '@foyer/sdk/voice/status'
import type { Voice } from '@foyer/sdk/voice/voice'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { isSilent } from './is-silent.ts'
import type { Loudspeaker } from './loudspeaker.ts'
import type { MicrophoneState, MicrophoneTrouble } from './microphone.ts'
import { keepSettings, type MicrophoneSettings, readSettings, type VoiceSettings } from './voice-settings.ts'
import { keepVolumes, readVolumes, type Volumes, withVolume } from './volumes.ts'

/** State of the room or call this browser is in, for the components. */
export interface VoiceView {
  readonly status: VoiceStatus
  readonly microphone: MicrophoneState
  /** True while the push-to-talk key is held. */
  readonly isTalking: boolean
  readonly settings: VoiceSettings
  readonly volumes: Volumes
  /** Last measured quality of the connection; undefined while there is none. */
  readonly quality: VoiceQuality | undefined
}

/** The part of a microphone's track that is used here. */
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
  readonly openMicrophone: (settings: MicrophoneSettings) => Promise<SentTrack | MicrophoneTrouble>
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Returns true if the user may speak in the room or call. */
  readonly maySpeak: (place: VoiceTarget) => boolean
  /** Calls the listener when the page is left. @returns a function that removes the listener */
  readonly onLeaving: (listener: () => void) => () => void
}

/** Controls voice: this browser is in at most one room or call. */
export class VoiceControl {
  readonly api: StoreApi<VoiceView>
  readonly #parts: VoiceParts
  #track: SentTrack | undefined
  /** Changes whenever the microphone opens or closes, so a slow request knows it was replaced. */
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
      // Other users see the leave at once, before the server notices it.
      onLeaving(() => this.leave()),
    ]
  }

  /**
   * Joins the room or call and leaves the previous one. Call this while handling a click or key press, or the browser
   * plays nothing. Resolves when the join succeeded or failed, with the reason in the status.
   */
  async join(place: VoiceTarget): Promise<void> {
    const { voice, loudspeaker, maySpeak } = this.#parts
    const { selfMute, selfDeaf } = this.api.getState().status
    loudspeaker.wake()
    // Does not wait for the microphone, because the user can listen before they have allowed it.
    if (maySpeak(place)) void this.openMicrophone()
    else this.#closeMicrophone()
    await voice.join(place, { mute: selfMute, deaf: selfDeaf }).catch(() => undefined)
  }

  /** Starts playback that the browser refused before. Call this while handling a click or key press. */
  wake(): void {
    this.#parts.loudspeaker.wake()
  }

  /** Reconnects after the network has changed. */
  reconnect(): void {
    this.#parts.voice.reconnectNow()
  }

  leave(): void {
    this.#parts.voice.leave()
    this.#closeMicrophone()
  }

  /** Unmuting also undeafens, and asks for the microphone if there is none. */
  toggleMute(): void {
    const { voice, loudspeaker, maySpeak } = this.#parts
    const { room_id, conversation_id } = this.api.getState().status.place ?? {}
    const target = room_id ? { room_id } : { conversation_id: conversation_id ?? '' }
    loudspeaker.wake()
    if (!isSilent(this.api.getState())) return voice.setSelf({ mute: true })
    voice.setSelf({ mute: false, deaf: false })
    if (maySpeak(target)) void this.openMicrophone()
  }

  toggleDeafen(): void {
    this.#parts.loudspeaker.wake()
    this.#parts.voice.setSelf({ deaf: !this.api.getState().status.selfDeaf })
  }

  /** Called when the push-to-talk key is pressed or released. */
  setTalking(isTalking: boolean): void {
    if (this.api.getState().isTalking !== isTalking) this.api.setState({ isTalking })
  }

  /** Opens the microphone, also after it was refused or missing. */
  async openMicrophone(): Promise<void> {
    if (this.#track?.readyState === 'live') return
    await this.#open()
  }

  /** Reopens the microphone if it is open or opening, for example to change the noise suppression, without leaving voice. */
  async reopenMicrophone(): Promise<void> {
    if (this.#track !== undefined || this.api.getState().microphone === 'opening') await this.#open()
  }

  changeSettings(change: Partial<VoiceSettings>): void {
    const settings = { ...this.api.getState().settings, ...change }
    this.api.setState({ settings })
    keepSettings(this.#parts.storage, settings)
    if (change.output !== undefined) this.#parts.loudspeaker.setOutput(change.output)
    const isOtherMicrophone = ['input', 'echoCancellation', 'noiseSuppression'].some((name) => name in change)
    if (isOtherMicrophone) void this.reopenMicrophone()
  }

  /** @param percent 100 is the volume it was sent with */
  setVolume(userId: string, percent: number): void {
    const volumes = withVolume(this.api.getState().volumes, userId, percent)
    this.api.setState({ volumes })
    keepVolumes(this.#parts.storage, volumes)
    this.#parts.loudspeaker.setVolumes(volumes)
  }

  /** Measures the quality of the connection. */
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
    const { settings } = this.api.getState()
    // Rejected only if the code cannot be loaded.
    const track = await this.#parts.openMicrophone(settings).catch(() => 'busy' as const)
    if (typeof track === 'string') return this.#opening === opening ? this.#lose(track) : undefined
    if (this.#opening !== opening) return track.stop()
    this.#use(track)
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
    // Rejects only while the connection closes. The next connection will send the microphone anyway.
    this.#parts.voice.setMicrophone(track).catch(() => undefined)
  }

  /** While muted, no audio leaves the browser, whatever the server does. */
  #gate(): void {
    if (this.#track === undefined) return
    const { status, settings, isTalking } = this.api.getState()
    const isQuiet = status.selfMute || status.selfDeaf || (settings.mode === 'push_to_talk' && !isTalking)
    this.#track.enabled = !isQuiet
  }
}
