import { RateMeter } from '../../apps/server/src/voice/sfu/bandwidth/rate-meter.ts'
import { isRtcp } from '../../apps/server/src/voice/sfu/rtp-packet.ts'
import { delayMs, RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import { ReportingViewer } from '../../apps/server/test/voice/reporting-viewer.ts'
import type { SfuProcess } from '../../apps/server/test/voice/sfu-process.ts'
import { EXTENSIONS, PAYLOAD_TYPE, slotRows } from './picture-rows.ts'
import type { SlowLine } from './slow-line.ts'

const SLOTS = 4
const SOUND = 111
const REPORT_MS = 50

/** A viewer that sends reports about the packets it receives, and measures these packets. */
export class MeasuredViewer {
  /** Rate of received audio and video, without padding. */
  readonly arriving = new RateMeter(500)
  pictureBytes = 0
  /** Delay of each audio packet from sender to viewer, in milliseconds. */
  soundDelaysMs: number[] = []
  /** Longest time between the ends of two frames, in milliseconds. */
  longestGapMs = 0
  #frameAtMs: number | undefined
  readonly #sfu: SfuProcess
  readonly #name: string
  readonly #client: RawVoiceClient
  readonly #reports = new ReportingViewer(EXTENSIONS.sequence)
  readonly #reporting: NodeJS.Timeout
  readonly #lastSequences = new Map<number, number>()
  readonly #sounds = { arrived: 0, lost: 0 }

  /** @param line the viewer's connection; undefined for one without a limit */
  static async enter(sfu: SfuProcess, name: string, line?: SlowLine): Promise<MeasuredViewer> {
    const rights = { canSpeak: false, canHear: true }
    const lead = (answer: string) => line?.lead(answer) ?? answer
    const client = await RawVoiceClient.enter(sfu, [name, 'bench'], rights, { rows: slotRows(SLOTS), lead })
    return new MeasuredViewer(sfu, name, client)
  }

  private constructor(sfu: SfuProcess, name: string, client: RawVoiceClient) {
    this.#sfu = sfu
    this.#name = name
    this.#client = client
    client.onPacket((packet) => this.#receive(packet, performance.now()))
    this.#reporting = setInterval(() => this.#report(), REPORT_MS)
  }

  /** Share of lost audio packets. */
  get lostSound(): number {
    const { arrived, lost } = this.#sounds
    return lost / Math.max(1, lost + arrived)
  }

  async watch(userIds: readonly string[]): Promise<void> {
    const watched = userIds.map((userId) => ({ userId, source: 'camera' as const, height: 720 }))
    await this.#sfu.ask('watch', { sessionId: this.#name, watched })
  }

  leave(): void {
    clearInterval(this.#reporting)
    this.#client.close()
  }

  #receive(packet: Buffer, nowMs: number): void {
    if (isRtcp(packet)) return
    const type = (packet[1] ?? 0) & 127
    if (type === SOUND) this.#hear(packet)
    else this.#reports.receive(packet, nowMs)
    if (type === PAYLOAD_TYPE) this.#see(packet, nowMs)
    if (type === SOUND || type === PAYLOAD_TYPE) this.arriving.add(packet.length, nowMs)
  }

  #see(packet: Buffer, nowMs: number): void {
    this.pictureBytes += packet.length
    const endsFrame = (packet[1] ?? 0) > 127
    if (!endsFrame) return
    this.longestGapMs = Math.max(this.longestGapMs, nowMs - (this.#frameAtMs ?? nowMs))
    this.#frameAtMs = nowMs
  }

  #hear(packet: Buffer): void {
    this.soundDelaysMs.push(delayMs(packet))
    const [sequence, ssrc] = [packet.readUInt16BE(2), packet.readUInt32BE(8)]
    const last = this.#lastSequences.get(ssrc)
    this.#lastSequences.set(ssrc, sequence)
    this.#sounds.arrived += 1
    if (last !== undefined) this.#sounds.lost += (sequence - last - 1) & 0xffff
  }

  #report(): void {
    const report = this.#reports.report(performance.now())
    if (report) this.#client.send(report)
  }
}
