import { setTimeout as sleep } from 'node:timers/promises'
import { RoomType } from '@foyer/protocol/rooms'
import type { Browser } from 'playwright-core'
import { eventually } from '../../e2e/eventually.ts'
import { LossyRelay } from '../../e2e/lossy-relay.ts'
import { Person } from '../../e2e/person.ts'
import { PicturePeer } from '../../e2e/picture-peer.ts'
import type { Program } from '../../e2e/program.ts'
import { gather, settlePerson } from '../../e2e/settled.ts'
import { beepAfterFlashMs, sendFlashesAndBeeps } from './flashes-and-beeps.ts'

const OPUS = 111
const SENDER_REPORT = 200
/** Number of decoded frames after which the video counts as playing. */
const FRAMES = 20

interface Apart {
  /** Milliseconds from seeing a flash to hearing its beep, in a page in which voice and camera are one stream. */
  readonly pairedMs: number
  /** Milliseconds from flash to beep in a page in which voice and camera are two streams. */
  readonly singleMs: number
}

/**
 * Lets a page send flashes and beeps whose audio is delayed, and measures the delay from flash to beep in two other pages.
 * @param delayMs delay of the audio, without the video
 * @param seconds time to wait before the measurement
 */
export async function measureLips(
  program: Program,
  browser: Browser,
  { delayMs, seconds }: { delayMs: number; seconds: number },
): Promise<Apart> {
  const arrive = async (name: string) =>
    settlePerson(await Person.arrive({ browser, name, url: program.url }))
  const people = await Promise.all([arrive('mira'), arrive('jonas'), arrive('ada')] as const)
  const { rooms } = await gather('Sunday hikers', people)
  const lounge = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
  const [mira, jonas, ada] = people
  const peers = people.map((person) => new PicturePeer(person, lounge))
  const [sender, paired, single] = peers
  if (sender === undefined || paired === undefined || single === undefined) throw new Error('nobody came')
  const relays: LossyRelay[] = []
  const throughRelay = async (answer: string) => {
    const [, port] = /^a=candidate:.* (\d+) typ host/m.exec(answer) ?? []
    const relay = await LossyRelay.open(Number(port), { loss: 0, seed: 1, delayOf: slowSound(delayMs) })
    relays.push(relay)
    return answer.replace(/^(a=candidate:.* )\d+( typ host)/gm, `$1${relay.port}$2`)
  }
  try {
    await Promise.all([
      sender.join({ rewrite: throughRelay }),
      paired.join(),
      single.join({ rewrite: inOwnStreams }),
    ])
    for (const viewer of [paired, single]) viewer.watch([{ user_id: sender.id, source: 'camera' }])
    sender.setSelf({ self_video: true })
    await sendFlashesAndBeeps(mira.person.page)
    await Promise.all([paired.playVoice(), single.playVoice()])
    for (const viewer of [paired, single])
      await eventually(async () => (await viewer.frames()).decoded > FRAMES, true)
    await sleep(seconds * 1000)
    const pairedMs = await beepAfterFlashMs(jonas.person.page)
    return { pairedMs, singleMs: await beepAfterFlashMs(ada.person.page) }
  } finally {
    for (const peer of peers) peer.leave()
    for (const relay of relays) relay.close()
  }
}

/** Returns a function that chooses the delay of a packet: it delays audio and the sender reports about audio, but not video. */
function slowSound(delayMs: number): (packet: Buffer) => number {
  let sound: number | undefined
  return (packet) => {
    const isMedia = packet.length > 12 && (packet[0] ?? 0) >> 6 === 2
    const isOpus = isMedia && ((packet[1] ?? 0) & 127) === OPUS
    if (isOpus) sound = packet.readUInt32BE(8)
    const isReport = packet[1] === SENDER_REPORT && packet.length > 7 && packet.readUInt32BE(4) === sound
    return isOpus || isReport ? delayMs : 0
  }
}

/** Gives each media section of an answer its own stream: browsers synchronize only the tracks of one stream. */
function inOwnStreams(answer: string): string {
  return answer.replace(/^a=msid:\S+ (\S+)$/gm, 'a=msid:$1 $1')
}
