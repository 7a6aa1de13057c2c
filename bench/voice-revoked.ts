// Measures how long a camera is still received after the answer to the request that took UseVideo away from its owner.
import { setTimeout as delay } from 'node:timers/promises'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { RoomType } from '@foyer/protocol/rooms'
import { type BotVoice, joinVoice } from '@foyer/sdk/voice/node'
import { until } from '../apps/server/test/until.ts'
import { vp8Frame } from '../apps/server/test/voice/vp8-frame.ts'
import { type Account, signUp } from './load/accounts.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { withFoyer } from './server/foyer.ts'

const MAX_MS = 100
/** Time between frames: a hundred a second, so that the end of the video is known to 10 ms. */
const FRAME_MS = 10
const FRAME_BYTES = 1000
/** Time to wait for frames that could still arrive. */
const AFTER_MS = 500

const options = readOptions({ viewers: 8, times: 30 }, { viewers: 1, times: 2 })
const { viewers, times } = options.numbers
const lateMs = await withFoyer(options, async ({ port }) => {
  const [owner, painter, ...watching] = await signUp(port, viewers + 2)
  if (owner === undefined || painter === undefined) throw new Error('nobody shows a camera')
  return measure(owner, painter, watching)
})
const largest = Math.max(...lateMs)
report({
  ...options,
  name: 'voice-revoked',
  problems: largest > MAX_MS && !options.isSmoke ? [`a picture is received ${MAX_MS} ms later`] : [],
  figures: { viewers, times, received_later_p50_ms: percentile(lateMs, 0.5), received_later_max_ms: largest },
})
process.exit()

/** @returns for each revocation, the milliseconds from its answer until the last frame that any viewer received */
async function measure(owner: Account, painter: Account, watching: readonly Account[]): Promise<number[]> {
  const roomId = await gather(owner, [painter, ...watching])
  const camera = await enter(painter, roomId)
  let lastAt = 0
  for (const viewer of watching) {
    const voice = await enter(viewer, roomId)
    voice.watch([{ user_id: painter.userId, source: 'camera' }])
    voice.onVp8(() => {
      lastAt = performance.now()
    })
  }
  const filming = film(camera)
  const results: number[] = []
  for (let time = 0; time < times; time += 1) {
    await camera.startPicture('camera')
    await until(async () => performance.now() - lastAt < 2 * FRAME_MS, 'the camera is not received')
    await delay(200)
    await allow(owner, false)
    const answeredAt = performance.now()
    await delay(AFTER_MS)
    results.push(Math.max(0, lastAt - answeredAt))
    await allow(owner, true)
  }
  clearInterval(filming)
  return results
}

/** Adds the people to the owner's space. Returns the id of a new voice room there. */
async function gather(owner: Account, people: readonly Account[]): Promise<string> {
  const { code } = await owner.client.invites.create(owner.spaceId, owner.roomId)
  for (const { client } of people) await client.invites.join(code)
  const { id } = await owner.client.rooms.create(owner.spaceId, { name: 'Studio', type: RoomType.Voice })
  return id
}

async function enter({ client }: Account, roomId: string): Promise<BotVoice> {
  client.gateway.connect()
  return joinVoice(client, { room_id: roomId })
}

/** Sends only key frames, so that viewers receive video as soon as they may. */
function film(camera: BotVoice): NodeJS.Timeout {
  let count = 0
  return setInterval(() => {
    count = (count + 1) % 250
    void camera.sendVp8('camera', vp8Frame(true, count, FRAME_BYTES)).catch(() => undefined)
  }, FRAME_MS)
}

async function allow(owner: Account, isAllowed: boolean): Promise<void> {
  const capabilities = isAllowed ? DEFAULT_CAPABILITIES : DEFAULT_CAPABILITIES & ~Capability.UseVideo
  await owner.client.roles.update(owner.spaceId, owner.spaceId, { capabilities })
}
