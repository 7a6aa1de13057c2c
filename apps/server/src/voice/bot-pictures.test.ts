import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { type BotVoice, joinVoice, type UserPicture, type Vp8Frame } from '@foyer/sdk/voice/node'
import { VoiceError } from '@foyer/sdk/voice/status'
import { type Bot, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { vp8Frame } from '#test/voice/vp8-frame.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let painter: Bot
let viewer: Bot
let sent: BotVoice
let received: BotVoice
const frames: (Vp8Frame & UserPicture)[] = []
let wanted = 0

/** One story: a bot shows its camera and screen, and another one watches. Each test goes on where the one before ended. */
before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  const bots = ['Painter', 'Viewer'].map((name) => createApplicationBot(server, owner, { name }))
  const [first, second] = await Promise.all(bots)
  assert.ok(first && second)
  ;[painter, viewer] = [first, second]
  for (const { id, client } of [painter, viewer]) {
    await owner.client.members.addBot(space.id, id)
    client.gateway.connect()
  }
  sent = await joinVoice(painter.client, { room_id: space.lounge })
  received = await joinVoice(viewer.client, { room_id: space.lounge })
  received.onVp8((picture, frame) => frames.push({ ...picture, ...frame }))
  sent.onKeyFrameWanted(() => {
    wanted += 1
  })
})
after(async () => {
  for (const voice of [sent, received]) voice?.leave()
  for (const bot of [painter, viewer]) bot?.client.gateway.close()
  await server.close()
})

const numbers = () => frames.map(({ data }) => data.at(-1))

/** Sends key frames until the other bot receives this picture. */
async function begin(source: 'camera' | 'screen'): Promise<void> {
  await until(async () => {
    await sent.sendVp8(source, vp8Frame(true, 255))
    return frames.some((frame) => frame.source === source)
  }, `the ${source} arrives`)
  await delay(200)
  frames.length = 0
}

function setCapabilities(capabilities: number): Promise<unknown> {
  return owner.client.roles.update(space.id, space.id, { capabilities })
}

test('VIDEOBOT-1: frames of a picture that was not announced are not sent', async () => {
  assert.equal(await sent.sendVp8('camera', vp8Frame(true, 1)), false)
  assert.equal(await sent.sendScreenOpus(Uint8Array.of(8, 1, 2)), false)
})

test('VIDEOBOT-1 and VIDEOBOT-6: a camera is announced, and a bot that watches it receives every frame whole', async () => {
  received.watch([{ user_id: painter.id, source: 'camera' }])
  await sent.startPicture('camera')
  assert.equal(sent.status.selfVideo, true)
  await begin('camera')
  const results = Array.from({ length: 60 }, (_, at) =>
    sent.sendVp8('camera', vp8Frame(at % 30 === 0, at, 1000 + at * 200), at * 20),
  )
  assert.deepEqual(new Set(await Promise.all(results)), new Set([true]))
  await until(async () => frames.length === 60, 'all frames arrive')
  assert.deepEqual(numbers(), [...Array(60).keys()])
  assert.deepEqual(
    new Set(frames.map(({ user_id, source, width, height }) => `${user_id} ${source} ${width} ${height}`)),
    new Set([`${painter.id} camera 320 240`]),
  )
  const steps = frames.map(({ timestamp }, at) => timestamp - (frames[at - 1]?.timestamp ?? timestamp))
  assert.ok(
    steps.slice(1).every((step) => Math.abs(step - 20 * 90) <= 90),
    steps.join(),
  )
})

test('VIDEOBOT-5: when somebody begins to watch, the bot is asked for a key frame', async () => {
  received.watch([])
  await delay(1500)
  wanted = 0
  frames.length = 0
  received.watch([{ user_id: painter.id, source: 'camera' }])
  await until(async () => {
    await sent.sendVp8('camera', vp8Frame(false, 7))
    return wanted > 0
  }, 'a key frame is asked for')
  assert.equal(frames.length, 0)
  await sent.sendVp8('camera', vp8Frame(true, 8))
  await until(async () => numbers().includes(8), 'the key frame arrives')
  assert.equal(frames[0]?.isKeyFrame, true)
})

test('VIDEOBOT-4: what is no VP8 frame, too large, or has no time is refused, and changes nothing', async () => {
  const wrong = [
    Uint8Array.of(),
    new Uint8Array(1_000_001),
    Buffer.from('no frame at all'),
    vp8Frame(true, 1, 300).subarray(0, 200),
  ]
  for (const frame of wrong) assert.throws(() => sent.sendVp8('camera', frame), RangeError)
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => sent.sendVp8('camera', vp8Frame(true, 1), time), RangeError)
  assert.throws(() => sent.sendScreenOpus(Uint8Array.of()), RangeError)
  frames.length = 0
  assert.equal(await sent.sendVp8('camera', vp8Frame(false, 9)), true)
  await until(async () => numbers().includes(9), 'the next frame arrives')
})

test('VIDEOBOT-3: of more frames than half a minute has, the last ones are dropped until the next key frame', async () => {
  wanted = 0
  const waiting = Array.from({ length: 905 }, (_, at) =>
    sent.sendVp8('camera', vp8Frame(at === 0, at, 50), at * 40),
  )
  const dropped = await Promise.all(waiting.slice(901))
  assert.deepEqual(dropped, [false, false, false, false])
  assert.ok(wanted > 0)
  sent.endPicture('camera')
  assert.equal((await Promise.all(waiting)).at(900), false)
  assert.equal(await sent.sendVp8('camera', vp8Frame(true, 1)), false)
})

test('VIDEOBOT-1 and VIDEOBOT-8: a screen and its sound are received', async () => {
  const sounds: string[] = []
  const end = received.onScreenOpus((userId, frame) => sounds.push(`${userId} ${frame.at(-1)}`))
  received.watch([{ user_id: painter.id, source: 'screen' }])
  await sent.startPicture('screen')
  await begin('screen')
  await until(async () => {
    await sent.sendScreenOpus(Uint8Array.of(0x78, 1, 2, 77))
    return sounds.length > 3
  }, 'the sound arrives')
  assert.deepEqual(new Set(sounds), new Set([`${painter.id} 77`]))
  end()
  sent.endPicture('screen')
})

test('VIDEOBOT-1: without the capability a picture is refused with the reason, and one that is live ends', async () => {
  await sent.startPicture('camera')
  const refusals: unknown[] = []
  const end = sent.onPictureRefused((refusal) => refusals.push(refusal))
  await setCapabilities(DEFAULT_CAPABILITIES & ~Capability.UseVideo)
  await until(async () => refusals.length === 1, 'the camera ends')
  assert.deepEqual(refusals, [{ source: 'camera', code: 'missing_permission' }])
  assert.equal(await sent.sendVp8('camera', vp8Frame(true, 1)), false)
  const refused = new VoiceError('permission', 'missing_permission')
  await assert.rejects(sent.startPicture('camera'), refused)
  await sent.startPicture('screen')
  await setCapabilities(DEFAULT_CAPABILITIES)
  await sent.startPicture('camera')
  end()
})

test('VIDEOBOT-4: a bot that has left sends nothing, starts nothing and receives nothing', async () => {
  const late = sent.sendVp8('camera', vp8Frame(true, 1), 0)
  await late
  const waiting = sent.sendVp8('camera', vp8Frame(false, 2), 5000)
  sent.leave()
  assert.equal(await waiting, false)
  assert.equal(await sent.sendVp8('camera', vp8Frame(true, 3)), false)
  assert.equal(await sent.sendScreenOpus(Uint8Array.of(8, 1)), false)
  await assert.rejects(sent.startPicture('camera'), new VoiceError('left'))
  frames.length = 0
  await delay(300)
  assert.equal(frames.length, 0)
})
