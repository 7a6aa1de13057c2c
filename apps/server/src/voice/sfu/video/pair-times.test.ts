import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type PictureClient, PictureRoom, soundRows, videoRows } from '#test/voice/picture-room.ts'
import { soundPacket } from '#test/voice/sound-packet.ts'
import { writeSenderReport } from './rtcp.ts'
import { timeOf } from './sender-clock.ts'

const STEP_MS = 50
const NTP_MS = 3_980_000_000_000
const HOUR_MS = 3_600_000
const CAMERA = [...videoRows('camera', 'sendonly'), 'a=ssrc:77 cname:x']

/** A client with a clock of its own, whose sound and pictures take their time to arrive. */
class Sender {
  /** The sound that its computer has lost. */
  lostMs = 0
  readonly #room: PictureRoom
  readonly #client: PictureClient
  readonly #aheadMs: number
  readonly #delayMs: { readonly sound: number; readonly picture: number }
  #sequence = 0

  constructor(room: PictureRoom, name: string, aheadMs: number, delayMs: { sound: number; picture: number }) {
    this.#room = room
    this.#client = room.enter(name, [CAMERA])
    this.#aheadMs = aheadMs
    this.#delayMs = delayMs
  }

  /** Lets arrive what it sent of its sound, and its report on it. */
  sound(isReported: boolean): void {
    const capturedMs = this.#room.nowMs - this.#delayMs.sound
    const timestamp = (1000 + (capturedMs - this.lostMs) * 48) >>> 0
    this.#sequence += 1
    if (isReported) this.#report(9, capturedMs, timestamp)
    this.#room.sendSound(this.#client, soundPacket(this.#sequence, timestamp))
  }

  picture(isReported: boolean): void {
    const capturedMs = this.#room.nowMs - this.#delayMs.picture
    const timestamp = (5000 + capturedMs * 90) >>> 0
    this.#sequence += 1
    if (isReported) this.#report(77, capturedMs, timestamp)
    this.#room.send(this.#client, { sequence: this.#sequence, timestamp, isKeyFrame: true })
  }

  #report(ssrc: number, capturedMs: number, timestamp: number): void {
    const ms = NTP_MS + this.#aheadMs + capturedMs
    const seconds = Math.floor(ms / 1000)
    const fraction = Math.round(((ms - seconds * 1000) / 1000) * 2 ** 32)
    const packet = writeSenderReport(ssrc, { seconds, fraction, timestamp, packets: 1, octets: 1 })
    this.#room.report(this.#client, packet)
  }
}

/** Returns the times of the timestamp 0 by the reports on a stream. They are equal if its reports are on one line. */
function lineOf(viewer: PictureClient, kind: 'sound' | 'picture'): number[] {
  const isSound = (type: number) => (type & 127) === 111
  const ssrcs = viewer.pictures
    .filter((packet) => isSound(packet[1] ?? 0) === (kind === 'sound'))
    .map((packet) => packet.readUInt32BE(8))
  const of = viewer.reports.filter(({ ssrc }) => ssrcs.includes(ssrc))
  let last = of[0]?.timestamp ?? 0
  let unwrapped = last
  return of.map((report) => {
    unwrapped += (report.timestamp - last) | 0
    last = report.timestamp
    return timeOf(report) - unwrapped / (kind === 'sound' ? 48 : 90)
  })
}

function spreadOf(times: readonly number[]): number {
  return Math.max(...times) - Math.min(...times)
}

suite('VIDEO-12: the reports on a slot', () => {
  test('give a sound and a picture of one moment one time, though one is slower and the clock is another', () => {
    const room = new PictureRoom()
    const viewer = room.enter('jonas', soundRows('voice', 8))
    const mira = new Sender(room, 'mira', 7 * HOUR_MS, { sound: 220, picture: 20 })
    room.watch(viewer, { userId: 'mira', source: 'camera' })
    const sent: { kind: 'sound' | 'picture'; capturedMs: number; timestamp: number }[] = []
    for (let step = 0; step < 100; step += 1) {
      for (const kind of ['sound', 'picture'] as const) {
        mira[kind](step % 20 === (kind === 'sound' ? 0 : 10))
        const capturedMs = room.nowMs - (kind === 'sound' ? 220 : 20)
        sent.push({ kind, capturedMs, timestamp: viewer.pictures.at(-1)?.readUInt32BE(4) ?? 0 })
      }
      room.pass(STEP_MS)
    }
    const times = (['sound', 'picture'] as const).map((kind) => {
      const { capturedMs = 0, timestamp = 0 } = sent.findLast((packet) => packet.kind === kind) ?? {}
      return (lineOf(viewer, kind).at(-1) ?? 0) + timestamp / (kind === 'sound' ? 48 : 90) - capturedMs
    })
    assert.ok(spreadOf(times) < 2, `${spreadOf(times)} ms apart`)
    // The first report on the sound came before any of the picture, which is faster.
    assert.ok(spreadOf(lineOf(viewer, 'sound').slice(2)) < 2)
  })

  test('stay on one line when it changes its user', () => {
    const room = new PictureRoom()
    const viewer = room.enter('jonas', soundRows('voice', 1))
    const people = [
      new Sender(room, 'ada', HOUR_MS, { sound: 20, picture: 20 }),
      new Sender(room, 'ben', -5 * HOUR_MS, { sound: 220, picture: 20 }),
    ]
    for (const person of people) {
      person.picture(true)
      person.sound(true)
    }
    for (let turn = 0; turn < 6; turn += 1) {
      for (let step = 0; step < 50; step += 1) {
        people[turn % 2]?.sound(step % 10 === 0)
        room.pass(STEP_MS)
      }
      room.pass(433)
    }
    const line = lineOf(viewer, 'sound')
    assert.ok(line.length > 10)
    assert.ok(spreadOf(line) < 2, `${spreadOf(line)} ms`)
  })

  test('stay on one line when a computer loses sound', () => {
    const room = new PictureRoom()
    const viewer = room.enter('jonas', soundRows('voice', 8))
    const ada = new Sender(room, 'ada', HOUR_MS, { sound: 20, picture: 20 })
    for (let step = 0; step < 200; step += 1) {
      if (step === 100) ada.lostMs = 300
      ada.sound(step % 20 === 0)
      room.pass(STEP_MS)
    }
    const line = lineOf(viewer, 'sound')
    assert.ok(line.length > 8)
    assert.ok(spreadOf(line) < 2, `${spreadOf(line)} ms`)
  })
})
