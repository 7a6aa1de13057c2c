import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { until } from '#test/until.ts'
import { LivePerson } from '#test/voice/live-person.ts'
import { EXTENSIONS } from '#test/voice/picture-room.ts'
import { CAMERA_MID } from '#test/voice/raw-voice-client.ts'
import { SfuProcess } from '#test/voice/sfu-process.ts'
import { vp8Packet } from '#test/voice/vp8-packets.ts'
import { writeMissing, writePictureLoss } from './rtcp.ts'

const ROOM = 'talk'
const BURST_MS = 10
const RIDS = ['q', 'h', 'f'] as const

suite('while someone watches a camera in the same room,', () => {
  let sfu: SfuProcess
  let mira: LivePerson
  let jonas: LivePerson
  let filming: NodeJS.Timeout
  before(async () => {
    sfu = await SfuProcess.start()
    mira = await LivePerson.enter(sfu, ['mira', ROOM])
    jonas = await LivePerson.enter(sfu, ['jonas', ROOM])
    filming = mira.film()
    await jonas.watch('mira')
    await until(async () => jonas.received > 10, 'the picture arrives')
  })
  after(async () => {
    clearInterval(filming)
    mira.client.close()
    jonas.client.close()
    await sfu.stop()
  })

  /** Fifty packets that are sent from now on arrive. */
  async function goesOn(): Promise<void> {
    const { received } = jonas
    await until(async () => jonas.received > received + 50, 'the picture goes on')
  }

  /** From now on, no packet is missing. */
  async function nothingIsMissing(): Promise<void> {
    await goesOn()
    const { gaps } = jonas
    await goesOn()
    assert.equal(jonas.gaps, gaps)
  }

  /** Sends in bursts while fifty packets of the honest camera pass. @returns the seconds that it took */
  async function during(perSecond: number, send: (count: number) => void): Promise<number> {
    const began = performance.now()
    let count = 0
    using flood = setInterval(() => {
      const due = ((performance.now() - began) * perSecond) / 1000
      for (; count < due; count += 1) send(count)
    }, BURST_MS)
    await goesOn()
    clearInterval(flood)
    return (performance.now() - began) / 1000
  }

  const isOut = (name: string) => sfu.tells('left').some(({ sessionId }) => sessionId === name)

  test('FAULT-3: a viewer who asks for a key frame a thousand times a second gets two', async () => {
    using mallory = await LivePerson.enter(sfu, ['asker', ROOM])
    await mallory.watch('mira')
    await until(async () => mallory.received > 0, 'the picture arrives')
    const before = mira.keyFramesAsked
    const seconds = await during(1000, () => mallory.send(writePictureLoss(1, mallory.slotSsrc)))
    const asked = mira.keyFramesAsked - before
    assert.ok(asked > 0 && asked <= 2 * seconds + 2, `${asked} in ${seconds} s`)
    assert.equal(isOut('asker'), false)
    await nothingIsMissing()
  })

  test('FAULT-3: a viewer who asks for each packet a hundred times gets four hundred a second', async () => {
    using mallory = await LivePerson.enter(sfu, ['repeater', ROOM])
    await mallory.watch('mira')
    await until(async () => mallory.received > 20, 'the picture arrives')
    const seconds = await during(200, () =>
      mallory.send(writeMissing(1, mallory.slotSsrc, mallory.lastNumbers.slice(-20))),
    )
    assert.ok(mallory.repairs > 100, `${mallory.repairs} packets are sent again`)
    assert.ok(mallory.repairs <= 400 * (seconds + 1), `${mallory.repairs} in ${seconds} s`)
    await nothingIsMissing()
  })

  test('VIDEO-9: a client that floods with reports is ended', async () => {
    using mallory = await LivePerson.enter(sfu, ['reporter', ROOM])
    using _flood = setInterval(() => {
      for (let count = 0; count < 200; count += 1) mallory.send(writeMissing(1, 5, [1, 2, 3]))
    }, BURST_MS)
    await until(async () => isOut('reporter'), 'they are put out')
    await nothingIsMissing()
  })

  test('FAULT-4: others’ pictures arrive while a camera sends more than it may', async () => {
    using mallory = await LivePerson.enter(sfu, ['flooder', ROOM])
    using viewer = await LivePerson.enter(sfu, ['bystander', ROOM])
    await viewer.watch('flooder')
    const { packetsDropped: before } = await sfu.ask('stats', {})
    const { cameraSsrc: ssrc } = mallory.client
    const seconds = await during(3000, (count) =>
      mallory.send(vp8Packet({ sequence: count & 0xffff, ssrc, isKeyFrame: count % 50 === 0, size: 900 })),
    )
    assert.ok(viewer.received <= 1500 * (seconds + 1), `${viewer.received} in ${seconds} s`)
    assert.ok((await sfu.ask('stats', {})).packetsDropped > before)
    assert.equal(isOut('flooder'), false)
    await nothingIsMissing()
  })

  test('FAULT-4: a camera that never sends a key frame is not forwarded, and is asked at most twice a second', async () => {
    using mallory = await LivePerson.enter(sfu, ['keyless', ROOM])
    using viewer = await LivePerson.enter(sfu, ['waiting', ROOM])
    await viewer.watch('keyless')
    const seconds = await during(30, () => mallory.sendFrame({ isKeyFrame: false }))
    assert.equal(viewer.received, 0)
    assert.ok(mallory.keyFramesAsked > 0 && mallory.keyFramesAsked <= 2 * seconds + 2)
    using _filming = mallory.film()
    await until(async () => viewer.received > 0, 'it is forwarded once there is one')
    await nothingIsMissing()
  })

  test('FAULT-4: a camera that changes its source is not forwarded until it has the first one again', async () => {
    using mallory = await LivePerson.enter(sfu, ['changer', ROOM])
    using viewer = await LivePerson.enter(sfu, ['confused', ROOM])
    await viewer.watch('changer')
    await during(30, () => mallory.sendFrame())
    assert.ok(viewer.received > 0)
    const ssrc = mallory.client.cameraSsrc
    mallory.sendFrame({ ssrc: ssrc + 100, isKeyFrame: true })
    const { packetsDropped: before } = await sfu.ask('stats', {})
    const received = await settled(viewer)
    await during(30, (count) => mallory.sendFrame({ ssrc: ssrc + 100 + (count % 3), isKeyFrame: true }))
    assert.equal(viewer.received, received)
    assert.ok((await sfu.ask('stats', {})).packetsDropped > before)
    mallory.sendFrame({ isKeyFrame: true })
    await until(async () => viewer.received > received, 'the first one is forwarded')
    await nothingIsMissing()
  })

  test('FAULT-4: layers that change their names, sources and heights are one stream for a viewer', async () => {
    using mallory = await LivePerson.enter(sfu, ['liar', ROOM], { layers: RIDS })
    using viewer = await LivePerson.enter(sfu, ['patient', ROOM])
    await viewer.watch('liar')
    const sources = new Set<number>()
    await during(90, (count) => {
      const rid = RIDS[(count + Math.floor(count / 40)) % 3] ?? 'q'
      mallory.sendFrame({
        ...{
          ssrc: 1000 + (count % 3),
          isKeyFrame: count % 4 === 0,
          height: [2, 9000, 0, 360][count % 4] ?? 0,
        },
        extensions: { [EXTENSIONS.mid]: CAMERA_MID, [EXTENSIONS.rid]: rid },
      })
      if (viewer.slotSsrc !== 0) sources.add(viewer.slotSsrc)
    })
    assert.ok(viewer.received > 0)
    assert.equal(sources.size, 1)
    assert.equal(new Set(viewer.lastNumbers).size, viewer.lastNumbers.length, 'no number comes twice')
    await nothingIsMissing()
  })

  /** Returns how many packets it has received, when those on their way have arrived. */
  async function settled(person: LivePerson): Promise<number> {
    await goesOn()
    return person.received
  }
})
