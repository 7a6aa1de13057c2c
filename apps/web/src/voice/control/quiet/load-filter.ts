import workletUrl from './filter-worklet.ts?worker&url'
import { PATIENCE_MS, within } from './within.ts'

/** Sample rate of RNNoise. Browsers convert to and from the rates of devices, but Firefox cannot convert a microphone's. */
const SAMPLE_RATE = 48_000

/** A filter that is loaded, but not yet connected to a microphone. */
export interface LoadedFilter {
  readonly context: AudioContext
  readonly node: AudioWorkletNode
}

/** The globals of a window. */
type Realm = Window & typeof globalThis

let library: Promise<ArrayBuffer> | undefined
let frame: Promise<Realm> | undefined

/** Loads RNNoise once (115 kB with gzip). A failure is forgotten, so that the next call tries again. */
export function loadRnnoise(): Promise<ArrayBuffer> {
  library ??= fetchRnnoise().catch((error) => {
    library = undefined
    throw error
  })
  return library
}

/** Opens a context with the filter. @throws an error if the browser does not support it, or the download fails */
export async function loadFilter(): Promise<LoadedFilter> {
  frame ??= openFrame().catch((error) => {
    frame = undefined
    throw error
  })
  const [bytes, realm] = await Promise.all([loadRnnoise(), frame])
  const context = new realm.AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'interactive' })
  try {
    await within(context.audioWorklet.addModule(workletUrl))
    const node = new realm.AudioWorkletNode(context, 'foyer-speech-filter', optionsWith(bytes))
    return { context, node: await started(node) }
  } catch (error) {
    context.close().catch(() => undefined)
    throw error
  }
}

async function fetchRnnoise(): Promise<ArrayBuffer> {
  const url = new URL('@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm', import.meta.url)
  // The signal also aborts a download that stalls after the headers.
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
  if (!response.ok) throw new Error(`RNNoise was answered with ${response.status}`)
  return response.arrayBuffer()
}

/**
 * Opens an empty page of the server in a hidden frame. A worklet has the content security policy of its page: the client's
 * forbids WebAssembly, the frame's allows it (web-client/page-headers.ts). The frame is kept, because browsers allow audio only
 * in pages that existed at the last click.
 */
async function openFrame(): Promise<Realm> {
  const element = document.createElement('iframe')
  element.src = '/sound-frame.html'
  element.hidden = true
  const loaded = Promise.withResolvers<void>()
  element.onload = () => loaded.resolve()
  document.body.append(element)
  try {
    await within(loaded.promise)
    const realm = element.contentWindow
    // If the browser refused the page, the frame has another origin, and this access throws.
    if (realm === null || !isRealm(realm)) throw new Error('the frame has no sound')
    return realm
  } catch (error) {
    element.remove()
    throw error
  }
}

function isRealm(window: Window): window is Realm {
  return 'AudioContext' in window && 'AudioWorkletNode' in window
}

function optionsWith(bytes: ArrayBuffer): AudioWorkletNodeOptions {
  return {
    channelCount: 1,
    channelCountMode: 'explicit',
    outputChannelCount: [1],
    processorOptions: { bytes },
  }
}

/** Waits until the worklet has compiled RNNoise. */
function started(node: AudioWorkletNode): Promise<AudioWorkletNode> {
  const { promise, resolve, reject } = Promise.withResolvers<AudioWorkletNode>()
  node.port.onmessage = () => resolve(node)
  node.onprocessorerror = () => reject(new Error('the filter could not start'))
  return within(promise)
}
