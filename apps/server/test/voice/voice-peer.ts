import { VOICE_SLOTS } from '@foyer/protocol/voice'
import wrtc from '@roamhq/wrtc'
import { until } from '../until.ts'

const SAMPLE_RATE = 48_000
const CHUNK_MS = 10
const CHUNK_SAMPLES = (SAMPLE_RATE * CHUNK_MS) / 1000
const LOUDNESS = 8000
/** Mean square of the samples below which a slot counts as silent. Coding adds noise to silence. */
const LEAST_ENERGY = 100_000

// Node's cleanup on exit crashes on resources that wrtc leaves behind (node-webrtc, issue 636). This listener exits before the
// cleanup, and calls the exit listeners after it, which would otherwise be skipped: they kill child processes.
process.on('exit', function leave(code) {
  const listeners = process.listeners('exit')
  for (const listener of listeners.slice(listeners.indexOf(leave) + 1)) listener(code)
  process.exit(code)
})

/** Sends the offer to the server, and returns its answer. */
export type Exchange = (offer: string) => Promise<string>

export interface VoicePeerOptions {
  /** Tone to send, in Hz; 0 is silence. If undefined, the peer has no microphone. */
  readonly tone?: number
  readonly slots?: number
  /** ICE servers, and the option to use only relays. */
  readonly configuration?: RTCConfiguration
}

/**
 * WebRTC client in Node. Joins by any exchange of offer and answer, sends a tone, and measures the tone in each slot.
 */
export class VoicePeer {
  readonly connection: RTCPeerConnection
  readonly #detectors: readonly ToneDetector[]
  readonly #source: ToneSource | undefined

  constructor({ tone, slots = VOICE_SLOTS, configuration = {} }: VoicePeerOptions = {}) {
    this.connection = new wrtc.RTCPeerConnection(configuration)
    this.#source = tone === undefined ? undefined : new ToneSource(tone)
    this.connection.addTransceiver(this.#source?.track ?? 'audio', { direction: 'sendonly' })
    this.#detectors = Array.from(
      { length: slots },
      () =>
        new ToneDetector(this.connection.addTransceiver('audio', { direction: 'recvonly' }).receiver.track),
    )
  }

  /** Resolves when media flows. */
  async join(exchange: Exchange): Promise<this> {
    const offer = await this.offer()
    await this.connection.setRemoteDescription({ type: 'answer', sdp: await exchange(offer) })
    await this.reaches('connected')
    return this
  }

  /** Creates the only offer of this peer, and sets it as its local description. */
  async offer(): Promise<string> {
    const offer = await this.connection.createOffer()
    await this.connection.setLocalDescription(offer)
    return offer.sdp ?? ''
  }

  reaches(state: RTCPeerConnectionState): Promise<void> {
    return until(async () => this.connection.connectionState === state, `the connection is ${state}`)
  }

  /** Changes the tone, in Hz; 0 is silence. */
  speak(tone: number): void {
    if (!this.#source) throw new Error('this peer has no microphone')
    this.#source.tone = tone
  }

  /** Returns true once a packet has arrived in the slot. */
  hasReceived(slot: number): boolean {
    const receiver = this.connection.getReceivers()[slot + 1]
    return receiver !== undefined && receiver.getSynchronizationSources().length > 0
  }

  /** Returns the approximate tone in each slot, in Hz; undefined for silence. */
  tones(): (number | undefined)[] {
    return this.#detectors.map((detector) => detector.tone())
  }

  /** Waits until exactly these tones are heard. */
  hears(...expected: readonly number[]): Promise<void> {
    const sorted = expected.toSorted((a, b) => a - b)
    return until(async () => {
      const heard = this.tones().filter((tone) => tone !== undefined)
      const isSo = heard
        .toSorted((a, b) => a - b)
        .every((tone, at) => Math.abs(tone - (sorted[at] ?? 0)) < 60)
      return isSo && heard.length === sorted.length
    }, `they hear ${sorted} Hz`)
  }

  /** Returns the number of packets received in each slot. */
  async packets(): Promise<number[]> {
    const received = this.#detectors.map(() => 0)
    const stats = await this.connection.getStats()
    for (const report of stats.values()) {
      if (report.type === 'inbound-rtp') received[Number(report.mid ?? 1) - 1] = report.packetsReceived
    }
    return received
  }

  /** Returns the packets received and lost in all slots. */
  async losses(): Promise<{ received: number; lost: number }> {
    const sum = { received: 0, lost: 0 }
    const stats = await this.connection.getStats()
    for (const report of stats.values()) {
      if (report.type !== 'inbound-rtp') continue
      sum.received += report.packetsReceived
      sum.lost += report.packetsLost
    }
    return sum
  }

  close(): void {
    this.#source?.close()
    for (const detector of this.#detectors) detector.close()
    this.connection.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** Microphone that sends a tone. */
export class ToneSource {
  tone: number
  readonly track: MediaStreamTrack
  readonly #source = new wrtc.nonstandard.RTCAudioSource()
  readonly #timer = setInterval(() => this.#sound(), CHUNK_MS)
  #at = 0

  constructor(tone: number) {
    this.tone = tone
    this.track = this.#source.createTrack()
  }

  close(): void {
    clearInterval(this.#timer)
    this.track.stop()
  }

  #sound(): void {
    const turn = (2 * Math.PI * this.tone) / SAMPLE_RATE
    const samples = Int16Array.from({ length: CHUNK_SAMPLES }, (_, index) =>
      Math.round(LOUDNESS * Math.sin(turn * (this.#at + index))),
    )
    this.#at += CHUNK_SAMPLES
    this.#source.onData({ samples, sampleRate: SAMPLE_RATE })
  }
}

/** Measures the tone of a track. */
export class ToneDetector {
  readonly #sink: wrtc.nonstandard.RTCAudioSink
  #samples: Int16Array = new Int16Array()
  #sampleRate = SAMPLE_RATE

  constructor(track: MediaStreamTrack) {
    this.#sink = new wrtc.nonstandard.RTCAudioSink(track)
    this.#sink.ondata = (data: wrtc.nonstandard.RTCAudioData) => {
      this.#samples = data.samples
      this.#sampleRate = data.sampleRate
    }
  }

  /** Returns the frequency in Hz, from the upward zero crossings in the last 10 ms. */
  tone(): number | undefined {
    const samples = this.#samples
    const energy = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    if (!(energy > LEAST_ENERGY)) return undefined
    const rises = [...samples.keys()].filter((at) => (samples[at] ?? 0) >= 0 && (samples[at - 1] ?? 0) < 0)
    const [first, last] = [rises[0] ?? 0, rises.at(-1) ?? 0]
    return last > first ? ((rises.length - 1) * this.#sampleRate) / (last - first) : undefined
  }

  close(): void {
    this.#sink.stop()
  }
}
