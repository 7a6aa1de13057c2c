import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { EstimatingViewer } from '#test/voice/estimating-viewer.ts'
import { ReportingViewer } from '#test/voice/reporting-viewer.ts'
import { SimulatedLine } from '#test/voice/simulated-line.ts'
import { chooseLayers } from '../video/choose-layers.ts'
import { nextStep } from './next-step.ts'
import { RateMeter } from './rate-meter.ts'
import { ViewerLink } from './viewer-link.ts'

const EXTENSION = 3
const PICTURE = 100
const SOUND = 200
const LAYERS = [
  { height: 180, bitrate: 150_000 },
  { height: 360, bitrate: 500_000 },
  { height: 720, bitrate: 1_700_000 },
]
const FRAME_MS = 33
/** Two kinds of viewers: one estimates by itself, the other reports when packets arrive. */
const ESTIMATES = { sequence: undefined, sentAt: EXTENSION, reportsBandwidth: true }
const ARRIVALS = { sequence: EXTENSION, sentAt: undefined, reportsBandwidth: true }
const MAX_PACKET = 1100

/** Size of a key frame, as a multiple of other frames. A viewer's own estimates, which are slower, are tested without them. */
const KEY_FRAME = { measured: 3, estimated: 1 }

/** A viewer of cameras behind a line, while two others speak. */
class Scene {
  nowMs = 1000
  readonly line: SimulatedLine
  readonly viewer: EstimatingViewer | ReportingViewer
  readonly link: ViewerLink
  readonly soundDelays: number[] = []
  soundsSent = 0
  paddingBytes = 0
  /** Without padding. */
  readonly arriving = new RateMeter(1000)
  chosen: readonly (number | undefined)[] = []
  /** The layers of the frames before. */
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

  /** Another layer begins with a key frame. */
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

for (const reportsArrivals of [false, true]) {
  suite(`BUDGET-4: a viewer that ${reportsArrivals ? 'reports arrivals' : 'estimates its line'}`, () => {
    test('has four fifths of a line of 5 Mbit/s within six seconds', () => {
      const scene = new Scene(new SimulatedLine(5_000_000), 8, reportsArrivals)
      scene.run(6)
      const bps = scene.arriving.bps(scene.nowMs)
      assert.ok(bps > 0.8 * 5_000_000, String(bps))
    })

    test('has the highest layer of one camera within three seconds, and padding ends', () => {
      const scene = new Scene(new SimulatedLine(20_000_000), 1, reportsArrivals)
      scene.run(3)
      assert.deepEqual(scene.chosen, [2])
      scene.run(10)
      const before = scene.paddingBytes
      scene.run(30)
      assert.deepEqual(scene.chosen, [2])
      assert.equal(scene.paddingBytes, before)
    })

    test('of a line of 300 kbit/s has the smallest picture, and sound without loss', () => {
      const scene = new Scene(new SimulatedLine(300_000), 1, reportsArrivals)
      scene.run(60)
      assert.deepEqual(scene.chosen, [0])
      const lost = 1 - scene.soundDelays.length / scene.soundsSent
      assert.ok(lost < 0.01, `${scene.soundsSent} sent, ${scene.soundDelays.length} arrived`)
      const late = scene.soundDelays.filter((ms) => ms > 300).length / scene.soundsSent
      assert.ok(late < 0.02, `${late} of the sounds are late`)
    })

    test('is sent less within a second and a half when its line becomes slower', () => {
      const scene = new Scene(new SimulatedLine(5_000_000), 2, reportsArrivals)
      scene.run(20)
      assert.deepEqual(scene.chosen, [2, 2])
      scene.line.bps = 1_000_000
      scene.run(1.5)
      assert.ok(scene.bps <= 1_000_000, String(scene.bps))
    })

    test('is sent more again when its line becomes faster, because padding tries it', () => {
      const scene = new Scene(new SimulatedLine(400_000), 1, reportsArrivals)
      scene.run(30)
      assert.deepEqual(scene.chosen, [0])
      scene.line.bps = 10_000_000
      scene.run(120)
      assert.deepEqual(scene.chosen, [2])
    })
  })
}

test('BUDGET-4: sound is on time again two seconds after a line became slower', () => {
  for (let seconds = 4; seconds <= 12; seconds += 0.5) {
    const scene = new Scene(new SimulatedLine(5_000_000, { delayMs: 10 }), 4, true)
    scene.run(seconds)
    scene.line.bps = 1_000_000
    scene.run(2)
    scene.soundDelays.length = 0
    scene.run(2)
    const late = scene.soundDelays.filter((delayMs) => delayMs > 100).length / scene.soundDelays.length
    assert.ok(late < 0.1, `${late} of the sounds are late, ${seconds} s after the start`)
  }
})

suite('BUDGET-7: probes of a viewer that reports arrivals', () => {
  test('find the line again after a few seconds in which it carried almost nothing', () => {
    const scene = new Scene(new SimulatedLine(5_000_000), 4, true)
    scene.run(20)
    scene.line.bps = 60_000
    scene.run(10)
    scene.line.bps = 5_000_000
    scene.run(20)
    assert.ok(scene.bps > 2_000_000, String(scene.bps))
  })

  test('leave a viewer without repairs without a limit', () => {
    const scene = new Scene(new SimulatedLine(20_000_000), 4, true, false)
    scene.run(20)
    assert.equal(scene.link.budgetBps(2, scene.nowMs), Number.POSITIVE_INFINITY)
  })

  test('find four fifths of a line of 5 Mbit/s within three seconds', () => {
    const scene = new Scene(new SimulatedLine(5_000_000), 8, true)
    scene.run(3)
    const bps = scene.arriving.bps(scene.nowMs)
    assert.ok(bps > 0.8 * 5_000_000, String(bps))
  })

  test('delay sound beside pictures by less than 20 ms', () => {
    for (let seconds = 5; seconds < 6; seconds += 0.1) {
      const scene = new Scene(new SimulatedLine(1_000_000, { delayMs: 10 }), 4, true)
      scene.run(seconds)
      scene.soundDelays.length = 0
      scene.run(10)
      const sorted = scene.soundDelays.toSorted((one, other) => one - other)
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
      // Alone, a sound takes 11 ms.
      assert.ok(p99 < 31, `${p99} ms, ${seconds} s after the start`)
    }
  })

  test('become rare on a line that carries no more', () => {
    const scene = new Scene(new SimulatedLine(1_000_000), 4, true)
    scene.run(100)
    const before = scene.paddingBytes
    scene.run(120)
    assert.deepEqual(scene.chosen, [0, 0, 0, 0])
    // Seven of 100 ms, besides the pictures.
    assert.ok(scene.paddingBytes - before < 60_000, `${scene.paddingBytes - before} bytes of padding`)
  })
})
