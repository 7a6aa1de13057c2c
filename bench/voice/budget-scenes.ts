import { setTimeout as sleep } from 'node:timers/promises'
import { RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import type { SfuProcess } from '../../apps/server/test/voice/sfu-process.ts'
import { percentile } from '../load/latencies.ts'
import { LayeredCamera } from './layered-camera.ts'
import { MeasuredViewer } from './measured-viewer.ts'
import { cameraRows } from './picture-rows.ts'
import { speakAll } from './room.ts'
import { SlowLine } from './slow-line.ts'

const STEP_MS = 50
const FREE_BPS = 1_000_000_000

/** A client that speaks and sends a camera. */
class Shower {
  readonly client: RawVoiceClient
  readonly camera: LayeredCamera

  static async enter(sfu: SfuProcess, name: string, line?: SlowLine): Promise<Shower> {
    const rights = { canSpeak: true, canHear: false, canUseVideo: true }
    const lead = (answer: string) => line?.lead(answer) ?? answer
    return new Shower(await RawVoiceClient.enter(sfu, [name, 'bench'], rights, { rows: cameraRows(), lead }))
  }

  private constructor(client: RawVoiceClient) {
    this.client = client
    this.camera = new LayeredCamera(client)
    client.onPacket((packet) => this.camera.receiveReport(packet))
  }

  leave(): void {
    this.camera.end()
    this.client.close()
  }
}

export interface Times {
  /** Maximum seconds to wait for a change. */
  readonly seconds: number
}

/** Measures a viewer of four cameras who joins with 5 Mbit/s, and later falls to 1 Mbit/s. */
export async function measureViewer(sfu: SfuProcess, { seconds }: Times) {
  const names = ['a', 'b', 'c', 'd']
  const showers = await Promise.all(names.map((name) => Shower.enter(sfu, name)))
  const hush = speakAll(showers.slice(0, 2).map(({ client }) => client))
  const line = await SlowLine.open(sfu.port, { downBps: 5_000_000, upBps: FREE_BPS })
  const viewer = await MeasuredViewer.enter(sfu, 'viewer', line)
  await viewer.watch(names)
  const joinSeconds = await secondsUntil(seconds, () => viewer.arriving.bps(performance.now()) >= 4_000_000)
  await sleep(seconds * 250)
  line.down.bps = 1_000_000
  const downSeconds = await secondsUntil(seconds, () => line.offered.bps(performance.now()) <= 1_000_000)
  hush()
  for (const client of [viewer, ...showers]) client.leave()
  line.close()
  return { joinSeconds, downSeconds }
}

/** Measures a viewer with 300 kbit/s who joins beside a viewer without a limit. */
export async function measureWeakViewer(sfu: SfuProcess, { seconds }: Times) {
  const shower = await Shower.enter(sfu, 'shower')
  const hush = speakAll([shower.client])
  const strong = await MeasuredViewer.enter(sfu, 'strong')
  await strong.watch(['shower'])
  await sleep(seconds * 500)
  const aloneBps = await pictureBps(strong, seconds / 2)
  const line = await SlowLine.open(sfu.port, { downBps: 300_000, upBps: FREE_BPS })
  const weak = await MeasuredViewer.enter(sfu, 'weak', line)
  await weak.watch(['shower'])
  const besideBps = await pictureBps(strong, seconds)
  const weakBps = await pictureBps(weak, seconds / 2)
  const { lostSound: weakLostSound, longestGapMs: weakGapMs } = weak
  hush()
  for (const client of [weak, strong, shower]) client.leave()
  line.close()
  return { aloneBps, besideBps, weakBps, weakLostSound, weakGapMs }
}

/** Measures a viewer with 1 Mbit/s who hears two users, first alone, then beside the video of four cameras. */
export async function measureSound(sfu: SfuProcess, { seconds }: Times) {
  const names = ['a', 'b', 'c', 'd']
  const showers = await Promise.all(names.map((name) => Shower.enter(sfu, name)))
  const hush = speakAll(showers.slice(0, 2).map(({ client }) => client))
  const line = await SlowLine.open(sfu.port, { downBps: 1_000_000, upBps: FREE_BPS })
  const viewer = await MeasuredViewer.enter(sfu, 'viewer', line)
  const p99Ms = async () => {
    await sleep(seconds * 250)
    viewer.soundDelaysMs = []
    await sleep(seconds * 500)
    return percentile(viewer.soundDelaysMs, 0.99)
  }
  const aloneMs = await p99Ms()
  await viewer.watch(names)
  const besideMs = await p99Ms()
  hush()
  for (const client of [viewer, ...showers]) client.leave()
  line.close()
  return { aloneMs, besideMs }
}

/** Measures a camera that is sent with 1 Mbit/s. */
export async function measureSender(sfu: SfuProcess, { seconds }: Times) {
  const line = await SlowLine.open(sfu.port, { downBps: FREE_BPS, upBps: 1_000_000 })
  const shower = await Shower.enter(sfu, 'shower', line)
  const upSeconds = await secondsUntil(seconds, () => (shower.camera.permittedBps ?? FREE_BPS) <= 1_050_000)
  await sleep(seconds * 500)
  const permittedBps = shower.camera.permittedBps ?? 0
  shower.leave()
  line.close()
  return { upSeconds, permittedBps }
}

async function pictureBps(viewer: MeasuredViewer, seconds: number): Promise<number> {
  const before = viewer.pictureBytes
  const beganAt = performance.now()
  await sleep(seconds * 1000)
  return ((viewer.pictureBytes - before) * 8000) / (performance.now() - beganAt)
}

/** Returns the seconds until the condition is true, or about `longest` if it never is. */
async function secondsUntil(longest: number, isTrue: () => boolean): Promise<number> {
  const beganAt = performance.now()
  const passed = () => (performance.now() - beganAt) / 1000
  while (!isTrue() && passed() < longest) await sleep(STEP_MS)
  return passed()
}
