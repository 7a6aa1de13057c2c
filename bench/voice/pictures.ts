import { setTimeout as sleep } from 'node:timers/promises'
import { RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import { SfuProcess } from '../../apps/server/test/voice/sfu-process.ts'
import { inGroups } from '../load/groups.ts'
import { processSeconds } from '../server/usage.ts'
import { LAYERS, LoadCamera, type LoadLayer, sendAll } from './picture-camera.ts'
import { LoadViewer } from './picture-viewer.ts'

const JOINING_AT_ONCE = 5
const WATCHED = 8
const RIGHTS = { canUseVideo: true, canHear: true }
const SETTLING_MS = 2000

export interface PictureLoad {
  readonly cameras: number
  readonly seconds: number
  /** Number of changes of height to measure. */
  readonly changes: number
}

interface Person {
  readonly name: string
  readonly client: RawVoiceClient
  readonly camera: LoadCamera
  readonly viewer: LoadViewer
}

/** A room in one media process in which all users send a camera and watch eight others. */
export class PictureBench {
  readonly #sfu: SfuProcess
  readonly #people: readonly Person[]
  #stop: () => void

  /** @param layers layers of each camera; if there is only one, it is sent as a single stream */
  static async open({ cameras }: PictureLoad, layers: readonly LoadLayer[] = LAYERS): Promise<PictureBench> {
    const sfu = await SfuProcess.start()
    const names = Array.from({ length: cameras }, (_, at) => `person ${at}`)
    const people = await inGroups(names, JOINING_AT_ONCE, (name) => enter(sfu, name, layers))
    return new PictureBench(sfu, people)
  }

  private constructor(sfu: SfuProcess, people: readonly Person[]) {
    this.#sfu = sfu
    this.#people = people
    this.#stop = sendAll(people.map(({ camera }) => camera))
  }

  /** Lets everyone watch eight others: the first one large, the others at the height of a small tile. */
  async watch(large: number | undefined, small: number | undefined): Promise<void> {
    for (const person of this.#people) await this.#look(person, large, small)
    await sleep(SETTLING_MS)
  }

  /** Measures the forwarded packets and the CPU time of the media process. */
  async measure(seconds: number) {
    const before = await this.#usage()
    await sleep(seconds * 1000)
    const after = await this.#usage()
    const packets = after.forwarded - before.forwarded
    const cpuSeconds = after.cpuSeconds - before.cpuSeconds
    return {
      packetsPerSecond: packets / seconds,
      cpuUsPerPacket: packets === 0 ? 0 : (cpuSeconds * 1e6) / packets,
      cpuUsPerPacketInOrOut: (cpuSeconds * 1e6) / (packets + after.sent - before.sent),
      cores: cpuSeconds / seconds,
      kbitPerViewer: ((after.bytes - before.bytes) * 8) / seconds / this.#people.length / 1000,
      lost: after.lost - before.lost,
    }
  }

  /** Returns the milliseconds from a viewer's request for another height until the first packet of the new layer. */
  async change(times: number, from: number, to: number): Promise<number[]> {
    const waitsMs: number[] = []
    for (let at = 0; at < times; at += 1) {
      const person = this.#people[at % this.#people.length]
      if (person === undefined) continue
      await this.#look(person, from, 0)
      await sleep(700)
      const arrived = person.viewer.next(to)
      const began = performance.now()
      await this.#look(person, to, 0)
      waitsMs.push((await arrived) - began)
    }
    return waitsMs
  }

  async close(): Promise<void> {
    this.#stop()
    for (const { client } of this.#people) client.close()
    await this.#sfu.stop()
  }

  async #look({ name }: Person, large: number | undefined, small: number | undefined): Promise<void> {
    const own = this.#people.findIndex((person) => person.name === name)
    const others = [...this.#people.slice(own + 1), ...this.#people.slice(0, own)].slice(0, WATCHED)
    const watched = others.map((other, at) => {
      const height = at === 0 ? large : small
      return { userId: other.name, source: 'camera' as const, ...(height === undefined ? {} : { height }) }
    })
    await this.#sfu.ask('watch', { sessionId: name, watched })
  }

  async #usage() {
    const { packetsForwarded } = await this.#sfu.ask('stats', {})
    return {
      cpuSeconds: processSeconds(this.#sfu.child.pid ?? 0),
      forwarded: packetsForwarded,
      sent: this.#people.reduce((sum, { camera }) => sum + camera.sent, 0),
      bytes: this.#people.reduce((sum, { viewer }) => sum + viewer.bytes, 0),
      lost: this.#people.reduce((sum, { viewer }) => sum + viewer.lost, 0),
    }
  }
}

async function enter(sfu: SfuProcess, name: string, layers: readonly LoadLayer[]): Promise<Person> {
  const rids = layers.map(({ rid }) => rid)
  const video = { hasVideo: true, pictureSlots: WATCHED, ...(rids.length > 1 ? { layers: rids } : {}) }
  const client = await RawVoiceClient.enter(sfu, [name, 'bench'], RIGHTS, video)
  const camera = new LoadCamera(client, layers)
  return { name, client, camera, viewer: new LoadViewer(client, camera) }
}
