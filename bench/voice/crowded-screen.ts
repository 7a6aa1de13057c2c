import { setTimeout as sleep } from 'node:timers/promises'
import { RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import { SfuProcess } from '../../apps/server/test/voice/sfu-process.ts'
import { inGroups } from '../load/groups.ts'
import { processSeconds } from '../server/usage.ts'
import { LoadCamera, type LoadLayer, sendAll } from './picture-camera.ts'
import { LoadViewer } from './picture-viewer.ts'

const JOINING_AT_ONCE = 5
/** A stream of 4 Mbit/s, with 30 frames a second. */
const STREAM: LoadLayer = { rid: 'f', height: 1080, packets: 15, bytes: 1110 }
const SETTLING_MS = 2000

export interface ScreenLoad {
  readonly viewers: number
  readonly seconds: number
}

/** Measures the media process while one user sends a stream without layers, which all others watch. */
export async function measureScreen({ viewers, seconds }: ScreenLoad) {
  const sfu = await SfuProcess.start()
  const sender = await RawVoiceClient.enter(
    sfu,
    ['sharer', 'bench'],
    { canUseVideo: true },
    { hasVideo: true },
  )
  const names = Array.from({ length: viewers }, (_, at) => `viewer ${at}`)
  const watching = await inGroups(names, JOINING_AT_ONCE, async (name) => {
    const client = await RawVoiceClient.enter(sfu, [name, 'bench'], {}, { hasVideo: true })
    const watched = [{ userId: 'sharer', source: 'camera' as const }]
    await sfu.ask('watch', { sessionId: name, watched })
    return { client, viewer: new LoadViewer(client) }
  })
  const camera = new LoadCamera(sender, [STREAM])
  sender.onPacket((packet) => camera.takeReport(packet))
  const stop = sendAll([camera])
  await sleep(SETTLING_MS)
  const usage = () => ({
    cpuSeconds: processSeconds(sfu.child.pid ?? 0),
    bytes: watching.reduce((sum, { viewer }) => sum + viewer.bytes, 0),
    packets: watching.reduce((sum, { viewer }) => sum + viewer.packets, 0),
    lost: watching.reduce((sum, { viewer }) => sum + viewer.lost, 0),
  })
  const [before, beganAt] = [usage(), performance.now()]
  await sleep(seconds * 1000)
  const [after, passed] = [usage(), (performance.now() - beganAt) / 1000]
  stop()
  for (const client of [sender, ...watching.map((each) => each.client)]) client.close()
  await sfu.stop()
  const packets = after.packets - before.packets
  return {
    cores: (after.cpuSeconds - before.cpuSeconds) / passed,
    kbitPerViewer: ((after.bytes - before.bytes) * 8) / passed / viewers / 1000,
    packetsPerSecond: packets / passed,
    cpuUsPerPacket: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / packets,
    lost: after.lost - before.lost,
  }
}
