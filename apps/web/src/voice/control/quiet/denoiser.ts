import { FRAME_SAMPLES } from './frame-bridge.ts'

/** RNNoise expects samples in the range of 16 bits. */
const FULL_SCALE = 32_768

/** The exports of the library's WebAssembly that are used. */
interface Rnnoise {
  readonly memory: WebAssembly.Memory
  __wasm_call_ctors(): void
  malloc(bytes: number): number
  /** @param model 0 for the built-in model */
  rnnoise_create(model: number): number
  /** @returns the probability of speech */
  rnnoise_process_frame(state: number, output: number, input: number): number
}

const FUNCTIONS = ['__wasm_call_ctors', 'malloc', 'rnnoise_create', 'rnnoise_process_frame']

/** RNNoise, a recurrent neural network that removes noise. It has a memory, so each stream needs its own. */
export class Denoiser {
  readonly #library: Rnnoise
  readonly #state: number
  readonly #at: number
  /** A view of the frame in the library's memory. It stays valid, because RNNoise never grows that memory while it runs. */
  readonly #samples: Float32Array

  /** @throws an error if the module is not RNNoise */
  constructor(module: WebAssembly.Module) {
    this.#library = libraryOf(module)
    this.#state = this.#library.rnnoise_create(0)
    this.#at = this.#library.malloc(FRAME_SAMPLES * Float32Array.BYTES_PER_ELEMENT)
    this.#samples = new Float32Array(this.#library.memory.buffer, this.#at, FRAME_SAMPLES)
  }

  /**
   * Removes the noise of a frame in place. The result is the cleaned previous frame, because RNNoise looks 10 ms ahead.
   * @returns the probability of speech, from 0 to 1
   */
  clean(frame: Float32Array): number {
    const samples = this.#samples
    for (let index = 0; index < FRAME_SAMPLES; index += 1) samples[index] = (frame[index] ?? 0) * FULL_SCALE
    const probability = this.#library.rnnoise_process_frame(this.#state, this.#at, this.#at)
    for (let index = 0; index < FRAME_SAMPLES; index += 1) frame[index] = (samples[index] ?? 0) / FULL_SCALE
    return probability
  }
}

/** Replaces the library's own loader, which is 64 kB large and does not support worklets. */
function libraryOf(module: WebAssembly.Module): Rnnoise {
  const { exports: library } = new WebAssembly.Instance(module, {
    env: {
      emscripten_memcpy_big: (to: number, from: number, bytes: number) => {
        new Uint8Array(memory.buffer).copyWithin(to, from, from + bytes)
      },
      // Refuses more memory: the first 16 MB are enough.
      emscripten_resize_heap: () => 0,
      __assert_fail: () => {
        throw new Error('RNNoise failed')
      },
    },
  })
  if (!isRnnoise(library)) throw new Error('this is not RNNoise')
  const { memory } = library
  library.__wasm_call_ctors()
  return library
}

function isRnnoise(exports: object): exports is Rnnoise {
  const found = new Map(Object.entries(exports))
  return (
    found.get('memory') instanceof WebAssembly.Memory &&
    FUNCTIONS.every((name) => typeof found.get(name) === 'function')
  )
}
