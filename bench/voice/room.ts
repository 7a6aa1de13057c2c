import { delayMs, RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import type { SfuProcess } from '../../apps/server/test/voice/sfu-process.ts'
import { inGroups } from '../load/groups.ts'

const JOINING_AT_ONCE = 5
const FRAME_MS = 20

/** All clients of the load, in one room. They run in this process, not in the measured one. */
export interface LoadRoom {
  readonly publishers: readonly RawVoiceClient[]
  readonly listeners: readonly RawVoiceClient[]
}

export async function fillRoom(
  sfu: SfuProcess,
  { publishers, listeners }: { publishers: number; listeners: number },
): Promise<LoadRoom> {
  const enter = (name: string, rights: { canSpeak: boolean; canHear: boolean }) =>
    RawVoiceClient.enter(sfu, [name, 'bench'], rights)
  const publisherNames = Array.from({ length: publishers }, (_, at) => `publisher ${at}`)
  const listenerNames = Array.from({ length: listeners }, (_, at) => `listener ${at}`)
  return {
    publishers: await inGroups(publisherNames, JOINING_AT_ONCE, (name) =>
      enter(name, { canSpeak: true, canHear: false }),
    ),
    listeners: await inGroups(listenerNames, JOINING_AT_ONCE, (name) =>
      enter(name, { canSpeak: false, canHear: true }),
    ),
  }
}

/** Lets all publishers speak, spread over the 20 ms of a frame. Returns a function that stops them. */
export function speakAll(publishers: readonly RawVoiceClient[]): () => void {
  const started = performance.now()
  const due = publishers.map((_, at) => started + (at * FRAME_MS) / publishers.length)
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [at, publisher] of publishers.entries()) {
      while ((due[at] ?? now) < now) {
        publisher.speak()
        due[at] = (due[at] ?? now) + FRAME_MS
      }
    }
  }, 1)
  return () => clearInterval(timer)
}

/** Counts the packets that one listener receives, and the gaps in its slots, and records the delay of each packet. */
export class Reception {
  readonly delaysMs: number[] = []
  lost = 0
  isMeasuring = false
  readonly #lastSequences = new Map<number, number>()

  constructor(client: RawVoiceClient) {
    client.onPacket((packet) => {
      if (((packet[1] ?? 0) & 127) !== 111) return
      const [sequence, ssrc] = [packet.readUInt16BE(2), packet.readUInt32BE(8)]
      const last = this.#lastSequences.get(ssrc)
      this.#lastSequences.set(ssrc, sequence)
      if (!this.isMeasuring) return
      this.delaysMs.push(delayMs(packet))
      if (last !== undefined) this.lost += (sequence - last - 1) & 0xffff
    })
  }
}
