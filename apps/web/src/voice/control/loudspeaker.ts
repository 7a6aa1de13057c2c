import { type Outlet, outletOf } from './outlet.ts'
import { type ReceivedVoice, RemoteVoice } from './remote-voice.ts'
import { USUAL_VOLUME, type Volumes, volumeOf } from './volumes.ts'

/** Plays the voices of all users, each at its own volume. */
export class Loudspeaker {
  #outlet: Outlet | undefined
  #voices: readonly RemoteVoice[] = []
  #volumes: Volumes = {}
  #output = ''

  /** Starts playback. Call this while handling a click or key press, because browsers play nothing before the first one. */
  wake(): void {
    if (Object.keys(this.#volumes).length > 0) this.#opened()
    this.#outlet?.context.resume().catch(() => undefined)
    for (const voice of this.#voices) voice.wake()
  }

  play(streams: readonly ReceivedVoice[]): void {
    const kept = this.#voices.filter(({ received }) => streams.some((stream) => isSame(stream, received)))
    for (const voice of this.#voices) if (!kept.includes(voice)) voice.close()
    const fresh = streams.filter((stream) => !kept.some(({ received }) => isSame(stream, received)))
    this.#voices = [...kept, ...fresh.map((received) => this.#begin(received))]
  }

  setVolumes(volumes: Volumes): void {
    this.#volumes = volumes
    for (const voice of this.#voices) voice.setLoudness(this.#loudnessOf(voice.received))
  }

  /** @param deviceId empty for the system default. If the device is missing, the output does not change. */
  setOutput(deviceId: string): void {
    this.#output = deviceId
    this.#outlet?.choose(deviceId)
    for (const voice of this.#voices) voice.setOutput(deviceId)
  }

  close(): void {
    this.play([])
    this.#outlet?.close()
    this.#outlet = undefined
  }

  #begin(received: ReceivedVoice): RemoteVoice {
    const voice = new RemoteVoice(received, () => this.#opened())
    voice.setLoudness(this.#loudnessOf(received))
    if (this.#output !== '') voice.setOutput(this.#output)
    return voice
  }

  #opened(): Outlet {
    if (this.#outlet !== undefined) return this.#outlet
    this.#outlet = outletOf(new AudioContext({ latencyHint: 'interactive' }))
    if (this.#output !== '') this.#outlet.choose(this.#output)
    return this.#outlet
  }

  #loudnessOf({ user_id }: ReceivedVoice): number {
    return volumeOf(this.#volumes, user_id) / USUAL_VOLUME
  }
}

function isSame(a: ReceivedVoice, b: ReceivedVoice): boolean {
  return a.user_id === b.user_id && a.track === b.track
}
