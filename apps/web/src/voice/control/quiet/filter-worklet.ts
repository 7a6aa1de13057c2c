import { SpeechFilter } from './speech-filter.ts'

interface FilterOptions {
  /** RNNoise as bytes, because not all browsers can pass a compiled module to a worklet. */
  readonly processorOptions: { readonly bytes: ArrayBuffer }
}

/** Inputs or outputs, each with its channels. */
type Blocks = readonly (readonly Float32Array[])[]

// TypeScript cannot load the types of audio worklets together with the DOM's.
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(
  name: string,
  processor: new (options: FilterOptions) => AudioWorkletProcessor,
): void

/** Runs the filter on the browser's audio thread. */
class FilterProcessor extends AudioWorkletProcessor {
  readonly #filter: SpeechFilter

  constructor({ processorOptions: { bytes } }: FilterOptions) {
    super()
    this.#filter = new SpeechFilter(new WebAssembly.Module(bytes))
    this.port.postMessage('ready')
  }

  process([received]: Blocks, [sent]: Blocks): boolean {
    const [input] = received ?? []
    const [output] = sent ?? []
    // There is no input before the microphone is connected.
    if (input !== undefined && output !== undefined) this.#filter.pass(input, output)
    return true
  }
}

registerProcessor('foyer-speech-filter', FilterProcessor)
