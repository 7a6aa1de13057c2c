/** Probability at which speech begins, and the lower probability below which it ends. */
const SPEECH_FROM = 0.6
const SPEECH_UNTIL = 0.35
/** Frames after the last certain speech that still count as speech: 300 ms, for the pauses between words. */
const HELD_FRAMES = 30
/** Gain of everything but speech. Short noises that the network takes for speech stay under the server's threshold of speaking. */
const FLOOR = 0.1
/** Decrease of the gain per frame. The gate closes in 90 ms and opens within a frame, both without an audible click. */
const CLOSING_STEP = 0.1

/** Lets speech through, and attenuates everything else. */
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
