import { type Heard, HeardVoice } from './heard-voice.ts'
import { type Outlet, outletOf } from './outlet.ts'
import { USUAL_VOLUME, type Volumes, volumeOf } from './volumes.ts'

/** Plays everybody's voices, each as loud as one likes it. */
export class Loudspeaker {
  #outlet: Outlet | undefined
  #voices: readonly HeardVoice[] = []
  #volumes: Volumes = {}
  #output = ''

  /** To be called while a click or a key is handled: before one browsers play nothing. */
  wake(): void {
    if (Object.keys(this.#volumes).length > 0) this.#opened()
    this.#outlet?.context.resume().catch(() => undefined)
    for (const voice of this.#voices) voice.wake()
  }

  play(streams: readonly Heard[]): void {
    const kept = this.#voices.filter(({ heard }) => streams.some((stream) => isSame(stream, heard)))
    for (const voice of this.#voices) if (!kept.includes(voice)) voice.close()
    const fresh = streams.filter((stream) => !kept.some(({ heard }) => isSame(stream, heard)))
    this.#voices = [...kept, ...fresh.map((heard) => this.#begin(heard))]
  }

  setVolumes(volumes: Volumes): void {
    this.#volumes = volumes
    for (const voice of this.#voices) voice.setLoudness(this.#loudnessOf(voice.heard))
  }

  /** @param deviceId empty for the system's own; where a device is gone the sound stays where it is */
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

  #begin(heard: Heard): HeardVoice {
    const voice = new HeardVoice(heard, () => this.#opened())
    voice.setLoudness(this.#loudnessOf(heard))
    if (this.#output !== '') voice.setOutput(this.#output)
    return voice
  }

  #opened(): Outlet {
    if (this.#outlet !== undefined) return this.#outlet
    this.#outlet = outletOf(new AudioContext({ latencyHint: 'interactive' }))
    if (this.#output !== '') this.#outlet.choose(this.#output)
    return this.#outlet
  }

  #loudnessOf({ user_id }: Heard): number {
    return volumeOf(this.#volumes, user_id) / USUAL_VOLUME
  }
}

function isSame(a: Heard, b: Heard): boolean {
  return a.user_id === b.user_id && a.track === b.track
}
