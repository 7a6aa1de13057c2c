import { canChoose, type Outlet } from './outlet.ts'

/** The voice of another user, as received. */
export interface ReceivedVoice {
  readonly user_id: string
  readonly track: MediaStreamTrack
}

interface Amplifier {
  readonly source: MediaStreamAudioSourceNode
  readonly gain: GainNode
}

/** Plays one voice: through an audio element, which browsers play best, or through an amplifier if its volume was changed. */
export class RemoteVoice {
  readonly received: ReceivedVoice
  readonly #outlet: () => Outlet
  readonly #element = new Audio()
  #amplifier: Amplifier | undefined

  /** @param outlet opens the output of amplified voices */
  constructor(received: ReceivedVoice, outlet: () => Outlet) {
    this.received = received
    this.#outlet = outlet
    this.#element.srcObject = new MediaStream([received.track])
    this.wake()
  }

  /** Starts playback that the browser refused before the first click. */
  wake(): void {
    if (this.#element.paused) this.#element.play().catch(() => undefined)
  }

  /** @param loudness 1 is the volume it was sent with */
  setLoudness(loudness: number): void {
    const isAmplified = loudness !== 1
    // The muted element keeps playing: Chromium only decodes a remote track for an element, https://crbug.com/121673
    this.#element.muted = isAmplified
    if (isAmplified) this.#amplify(loudness)
    else this.#unplug()
  }

  /** @param deviceId empty for the system default */
  setOutput(deviceId: string): void {
    if (canChoose(this.#element)) this.#element.setSinkId(deviceId).catch(() => undefined)
  }

  close(): void {
    this.#unplug()
    this.#element.srcObject = null
  }

  /** Plays the voice with a gain: audio elements cannot exceed full volume, and some phones ignore their volume altogether. */
  #amplify(loudness: number): void {
    this.#amplifier ??= this.#plug(this.#outlet())
    this.#amplifier.gain.gain.value = loudness
  }

  #plug({ context, input }: Outlet): Amplifier {
    const source = context.createMediaStreamSource(new MediaStream([this.received.track]))
    const gain = context.createGain()
    source.connect(gain).connect(input)
    return { source, gain }
  }

  #unplug(): void {
    this.#amplifier?.source.disconnect()
    this.#amplifier?.gain.disconnect()
    this.#amplifier = undefined
  }
}
