import { nextStep } from '#src/voice/sfu/bandwidth/next-step.ts'
import { RateMeter } from '#src/voice/sfu/bandwidth/rate-meter.ts'
import { ViewerLink } from '#src/voice/sfu/bandwidth/viewer-link.ts'
import { chooseLayers } from '#src/voice/sfu/video/choose-layers.ts'
import { EstimatingViewer } from './estimating-viewer.ts'
import { ReportingViewer } from './reporting-viewer.ts'
import type { SimulatedLine } from './simulated-line.ts'

const EXTENSION = 3
const PICTURE = 100
const SOUND = 200
const LAYERS = [
  { height: 180, bitrate: 150_000 },
  { height: 360, bitrate: 500_000 },
  { height: 720, bitrate: 1_700_000 },
]
const FRAME_MS = 33
/** Two kinds of viewers: the first estimates its bandwidth itself, the second reports when packets arrive. */
const ESTIMATES = { sequence: undefined, sentAt: EXTENSION, reportsBandwidth: true }
const ARRIVALS = { sequence: EXTENSION, sentAt: undefined, reportsBandwidth: true }
const MAX_PACKET = 1100

/**
 * Size of a key frame, as a multiple of other frames. Viewers that estimate by themselves are slower, and get key frames of the
 * usual size.
 */
const KEY_FRAME = { measured: 3, estimated: 1 }

/** A viewer of cameras behind a simulated line, while two others speak. Time passes only in `run`. */
export class LinkScene {
  nowMs = 1000
  readonly line: SimulatedLine
  readonly viewer: EstimatingViewer | ReportingViewer
  readonly link: ViewerLink
  readonly soundDelays: number[] = []
  soundsSent = 0
  paddingBytes = 0
  /** Rate of arriving packets, without padding. */
  readonly arriving = new RateMeter(1000)
  chosen: readonly (number | undefined)[] = []
  /** For each camera, the layer of the previous frame. */
  readonly #shown: (number | undefined)[] = []
  readonly #keyFrame: number
  readonly #pictures: { wantedHeight: number; layers: typeof LAYERS }[]

  constructor(line: SimulatedLine, cameras: number, reportsArrivals: boolean, hasRepairs = true) {
    this.line = line
    this.#keyFrame = reportsArrivals ? KEY_FRAME.measured : KEY_FRAME.estimated
    this.viewer = reportsArrivals ? new ReportingViewer(EXTENSION) : new EstimatingViewer(EXTENSION)
    this.#pictures = Array.from({ length: cameras }, () => ({ wantedHeight: 720, layers: LAYERS }))
    const repair = hasRepairs ? { ssrc: PICTURE + 1, payloadType: 97, sequence: 5 } : undefined
    const isOurs = (ssrc: number) => ssrc === PICTURE
    this.link = new ViewerLink(
      { ...(reportsArrivals ? ARRIVALS : ESTIMATES), repair, isOurs },
      (packet) => this.line.send(packet, this.nowMs, 2),
      () => this.nowMs,
    )
  }

  run(seconds: number): void {
    const end = this.nowMs + seconds * 1000
    for (; this.nowMs < end; this.nowMs += 1) this.#step(this.nowMs)
  }

  /** The rate of the pictures that are forwarded. */
  get bps(): number {
    return this.chosen.reduce<number>(
      (sum, layer) => sum + (layer === undefined ? 0 : (LAYERS[layer]?.bitrate ?? 0)),
      0,
    )
  }

  /** Returns a percentile of `soundDelays`, in milliseconds. @param share from 0 to 1, like 0.99 */
  soundDelayMs(share: number): number {
    const sorted = this.soundDelays.toSorted((one, other) => one - other)
    return sorted[Math.floor(sorted.length * share)] ?? 0
  }

  #step(nowMs: number): void {
    for (const { packet, atMs } of this.line.arrived(nowMs)) this.#arrive(packet, atMs)
    const report = this.viewer.report(nowMs)
    if (report) this.link.receiveReport(report, nowMs)
    if (nowMs % 50 === 0) this.#choose(nowMs)
    if (nowMs % 10 === 0) this.link.pace(nowMs)
    if (nowMs % 20 === 0) for (let speaker = 0; speaker < 2; speaker += 1) this.#speak(nowMs)
    for (const [at, layer] of this.chosen.entries()) {
      if (nowMs % FRAME_MS === at * 4) this.#showFrame(at, layer)
    }
  }

  #choose(nowMs: number): void {
    const budgetBps = this.link.budgetBps(2, nowMs)
    this.chosen = chooseLayers(this.#pictures, budgetBps)
    this.link.probe(budgetBps, nextStep(this.#pictures, this.chosen), nowMs)
  }

  #arrive(packet: Buffer, atMs: number): void {
    const ssrc = packet.readUInt32BE(8)
    if (ssrc === SOUND) this.soundDelays.push(atMs - packet.readUInt32BE(4))
    else this.viewer.receive(packet, atMs)
    if (ssrc === PICTURE + 1) this.paddingBytes += packet.length
    else this.arriving.add(packet.length, atMs)
  }

  #speak(nowMs: number): void {
    this.soundsSent += 1
    const packet = Buffer.alloc(100)
    packet.writeUInt32BE(nowMs, 4)
    packet.writeUInt32BE(SOUND, 8)
    this.line.send(packet, nowMs)
  }

  /** Shows a frame of this layer. A change of layer begins with a key frame. */
  #showFrame(at: number, layer: number | undefined): void {
    const isKeyFrame = layer !== this.#shown[at]
    this.#shown[at] = layer
    if (layer !== undefined) this.#show((LAYERS[layer]?.bitrate ?? 0) * (isKeyFrame ? this.#keyFrame : 1))
  }

  #show(bitrate: number): void {
    let left = (bitrate * FRAME_MS) / 8000
    for (; left > 0; left -= MAX_PACKET) {
      const packet = Buffer.alloc(12 + Math.ceil(Math.min(MAX_PACKET, left)))
      packet[0] = 0x80
      packet[1] = 96
      packet.writeUInt32BE(PICTURE, 8)
      this.link.send(packet)
    }
  }
}
