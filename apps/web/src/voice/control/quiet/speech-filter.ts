import { Denoiser } from './denoiser.ts'
import { FrameBridge } from './frame-bridge.ts'
import { SpeechGate } from './speech-gate.ts'

/** Removes everything but speech from a stream at 48 kHz, and delays it by 20 ms. */
export class SpeechFilter {
  readonly #gate = new SpeechGate()
  readonly #bridge: FrameBridge

  /** @param module RNNoise, compiled */
  constructor(module: WebAssembly.Module) {
    const denoiser = new Denoiser(module)
    this.#bridge = new FrameBridge((frame) => this.#gate.apply(frame, denoiser.clean(frame)))
  }

  get isSpeech(): boolean {
    return this.#gate.isOpen
  }

  /** Takes a block of samples, and writes a filtered block to `output`. */
  pass(input: Float32Array, output: Float32Array): void {
    this.#bridge.pass(input, output)
  }
}
