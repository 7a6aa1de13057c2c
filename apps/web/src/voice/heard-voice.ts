import { canChoose, type Outlet } from './outlet.ts'

/** Somebody's voice, as it arrives. */
export interface Heard {
  readonly user_id: string
  readonly track: MediaStreamTrack
}

interface Amplifier {
  readonly source: MediaStreamAudioSourceNode
  readonly gain: GainNode
}

/** Plays one voice: as it is by an element of its own, which every browser does best, louder or softer by an amplifier. */
export class HeardVoice {
  readonly heard: Heard
  readonly #outlet: () => Outlet
  readonly #element = new Audio()
  #amplifier: Amplifier | undefined

  /** @param outlet opens where amplified voices leave the page */
  constructor(heard: Heard, outlet: () => Outlet) {
    this.heard = heard
    this.#outlet = outlet
    this.#element.srcObject = new MediaStream([heard.track])
    this.wake()
  }

  /** Plays what the browser refused to play before a click. */
  wake(): void {
    if (this.#element.paused) this.#element.play().catch(() => undefined)
  }

  /** @param loudness 1 is as loud as it was sent */
  setLoudness(loudness: number): void {
    const isAmplified = loudness !== 1
    // It plays on without a sound: Chromium decodes a remote track only for an element, https://crbug.com/121673
    this.#element.muted = isAmplified
    if (isAmplified) this.#amplify(loudness)
    else this.#unplug()
  }

  /** @param deviceId empty for the system's own */
  setOutput(deviceId: string): void {
    if (canChoose(this.#element)) this.#element.setSinkId(deviceId).catch(() => undefined)
  }

  close(): void {
    this.#unplug()
    this.#element.srcObject = null
  }

  /** An element gets no louder than full, and on some phones no softer either. */
  #amplify(loudness: number): void {
    this.#amplifier ??= this.#plug(this.#outlet())
    this.#amplifier.gain.gain.value = loudness
  }

  #plug({ context, input }: Outlet): Amplifier {
    const source = context.createMediaStreamSource(new MediaStream([this.heard.track]))
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
