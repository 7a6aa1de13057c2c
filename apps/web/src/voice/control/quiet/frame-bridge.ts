/** Samples of a frame: 10 ms at 48 kHz. RNNoise takes frames of this length only. */
export const FRAME_SAMPLES = 480

/**
 * Joins the browser's blocks (128 samples) into frames, and splits the results into blocks again. The result is one frame late,
 * so that there is always a block to return.
 */
export class FrameBridge {
  readonly #frame = new Float32Array(FRAME_SAMPLES)
  #filled = 0
  /** Results to return; at first a frame of silence. */
  readonly #results = new Float32Array(3 * FRAME_SAMPLES)
  #ready = FRAME_SAMPLES
  readonly #transform: (frame: Float32Array) => void

  /** @param transform changes a frame in place */
  constructor(transform: (frame: Float32Array) => void) {
    this.#transform = transform
  }

  /** Takes a block of at most one frame, and writes a block of the same length to `output`. */
  pass(input: Float32Array, output: Float32Array): void {
    let taken = 0
    while (taken < input.length) {
      const part = input.subarray(taken, taken + FRAME_SAMPLES - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
      if (this.#filled === FRAME_SAMPLES) this.#finish()
    }
    output.set(this.#results.subarray(0, output.length))
    this.#results.copyWithin(0, output.length, this.#ready)
    this.#ready -= output.length
  }

  #finish(): void {
    this.#transform(this.#frame)
    this.#results.set(this.#frame, this.#ready)
    this.#ready += FRAME_SAMPLES
    this.#filled = 0
  }
}
