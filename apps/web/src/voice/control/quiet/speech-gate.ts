/** Probability from which on sound counts as speech, and the lower one below which speech has ended. */
const SPEECH_FROM = 0.6
const SPEECH_UNTIL = 0.35
/** Speech lasts at least this long after its last certain frame: 300 ms, for the pauses between words. */
const HELD_FRAMES = 30
/** Gain of everything else. Short noises that look like speech to the network stay under the server's threshold of speaking. */
const FLOOR = 0.1
/** Decrease of the gain per frame: the gate closes in 90 ms and opens within a frame, so that neither is audible. */
const CLOSING_STEP = 0.1

/** Lets speech through, and attenuates everything else. One probability decides about noise and about the speaking mark. */
export class SpeechGate {
  #gain = FLOOR
  #held = 0

  get isOpen(): boolean {
    return this.#held > 0
  }

  /** Changes the frame in place. */
  apply(frame: Float32Array, probability: number): void {
    if (probability >= (this.isOpen ? SPEECH_UNTIL : SPEECH_FROM)) this.#held = HELD_FRAMES
    else if (this.isOpen) this.#held -= 1
    const before = this.#gain
    const after = this.isOpen ? 1 : Math.max(FLOOR, before - CLOSING_STEP)
    const step = (after - before) / frame.length
    for (let index = 0; index < frame.length; index += 1)
      frame[index] = (frame[index] ?? 0) * (before + step * (index + 1))
    this.#gain = after
  }
}
