import type { VoiceQuality, VoiceSelf, VoiceStatus, VoiceTarget } from '@foyer/sdk/voice/status'
import type { VoiceStream } from '@foyer/sdk/voice/stream'
import type { SentTrack, VoiceLine } from './control/voice-control.ts'

const IDLE: VoiceStatus = {
  phase: 'idle',
  place: undefined,
  sessionId: undefined,
  reason: undefined,
  selfMute: false,
  selfDeaf: false,
  selfVideo: false,
  selfStream: false,
  hasVideo: false,
  speaking: new Set(),
}

/** Voice whose code is loaded by the first join, because most visits never need it. */
export class LateVoice implements VoiceLine {
  readonly #load: () => Promise<() => VoiceLine>
  readonly #statuses = new Set<(status: VoiceStatus) => void>()
  readonly #streams = new Set<(streams: readonly VoiceStream[]) => void>()
  #voice: VoiceLine | undefined
  #status = IDLE
  #microphone: SentTrack | null = null
  /** Changes with every join and leave, so a join that waited for the code knows it was replaced. */
  #joining = Symbol()

  /** @param load loads the code and returns a function that opens voice */
  constructor(load: () => Promise<() => VoiceLine>) {
    this.#load = load
  }

  get status(): VoiceStatus {
    return this.#voice?.status ?? this.#status
  }

  async join(place: VoiceTarget, self: VoiceSelf = {}): Promise<void> {
    if (this.#voice !== undefined) return this.#voice.join(place, self)
    const joining = Symbol()
    this.#joining = joining
    const nowhere = { space_id: null, room_id: null, conversation_id: null }
    this.#change({ phase: 'joining', place: { ...nowhere, ...place }, reason: undefined })
    this.setSelf(self)
    const open = await this.#load().catch(() => null)
    if (this.#joining !== joining) return
    if (open === null) return this.#change({ phase: 'failed', reason: 'unavailable' })
    const { selfMute: mute, selfDeaf: deaf } = this.#status
    const voice = this.#open(open)
    return voice.join(place, { mute, deaf })
  }

  leave(): void {
    if (this.#voice !== undefined) return this.#voice.leave()
    this.#joining = Symbol()
    this.#change({ phase: 'idle', place: undefined, reason: undefined })
  }

  setSelf(self: VoiceSelf): void {
    if (this.#voice !== undefined) return this.#voice.setSelf(self)
    const { mute = this.#status.selfMute, deaf = this.#status.selfDeaf } = self
    if (mute === this.#status.selfMute && deaf === this.#status.selfDeaf) return
    this.#change({ selfMute: mute, selfDeaf: deaf })
  }

  async setMicrophone(track: SentTrack | null): Promise<void> {
    this.#microphone = track
    await this.#voice?.setMicrophone(track)
  }

  reconnectNow(): void {
    this.#voice?.reconnectNow()
  }

  onStatus(listener: (status: VoiceStatus) => void): () => void {
    this.#statuses.add(listener)
    return () => this.#statuses.delete(listener)
  }

  onStreams(listener: (streams: readonly VoiceStream[]) => void): () => void {
    this.#streams.add(listener)
    return () => this.#streams.delete(listener)
  }

  async quality(): Promise<VoiceQuality | undefined> {
    return this.#voice?.quality()
  }

  close(): void {
    this.leave()
    this.#voice?.close()
  }

  #open(open: () => VoiceLine): VoiceLine {
    const voice = open()
    voice.setMicrophone(this.#microphone).catch(() => undefined)
    voice.onStreams((streams) => {
      for (const listener of this.#streams) listener(streams)
    })
    voice.onStatus((status) => this.#notify(status))
    this.#voice = voice
    return voice
  }

  #change(change: Partial<VoiceStatus>): void {
    this.#status = { ...this.#status, ...change }
    this.#notify(this.#status)
  }

  #notify(status: VoiceStatus): void {
    for (const listener of this.#statuses) listener(status)
  }
}
