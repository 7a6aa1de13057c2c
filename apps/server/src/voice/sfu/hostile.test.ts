import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { after, before, suite, test } from 'node:test'
import { until } from '#test/until.ts'
import { RawVoiceClient } from '#test/voice/raw-voice-client.ts'
import { SfuProcess } from '#test/voice/sfu-process.ts'
import type { VoicePeer } from '#test/voice/voice-peer.ts'
import { enterRoom } from '#test/voice/voice-room.ts'

suite('while two users talk in the same process,', () => {
  let sfu: SfuProcess
  let ada: VoicePeer
  let ben: VoicePeer
  before(async () => {
    sfu = await SfuProcess.start()
    ada = await enterRoom(sfu, ['ada', 'talk'], { tone: 440 })
    ben = await enterRoom(sfu, ['ben', 'talk'], { tone: 1000 })
    await Promise.all([ada.hears(1000), ben.hears(440)])
  })
  after(async () => {
    ada.close()
    ben.close()
    await sfu.stop()
  })

  /** Fifty packets sent now all arrive, and sound as before. */
  async function nothingIsMissing(): Promise<void> {
    await Promise.all([ada, ben].map(getsFifty))
    await Promise.all([ada.hears(1000), ben.hears(440)])
  }

  test('SFU-11: garbage at the port disturbs nobody', async () => {
    const socket = createSocket('udp4')
    const send = (bytes: Uint8Array) =>
      new Promise((resolve) => socket.send(bytes, sfu.port, '127.0.0.1', resolve))
    for (let at = 0; at < 1000; at += 1) {
      const bytes = randomBytes(1 + (at % 1400))
      // As though it were STUN, DTLS, RTP or RTCP.
      bytes[0] = [0x00, 0x16, 0x80, 0x90, bytes[0]][at % 5] ?? 0
      await send(bytes)
    }
    socket.close()
    await nothingIsMissing()
  })

  test('SFU-8: packets that are not the sender’s audio are dropped and counted', async () => {
    using mallory = await RawVoiceClient.enter(sfu, ['mallory', 'mischief'])
    using listener = await RawVoiceClient.enter(sfu, ['listener', 'mischief'])
    let heard = 0
    listener.onPacket((packet) => {
      heard += ((packet[1] ?? 0) & 127) === 111 ? 1 : 0
    })
    const { packetsDropped: before } = await sfu.ask('stats', {})
    const spoilt = spoiltFrames(mallory)
    for (const frame of spoilt) mallory.send(frame)
    await until(
      async () => (await sfu.ask('stats', {})).packetsDropped === before + spoilt.length,
      `${spoilt.length} packets are dropped`,
    )
    assert.equal(heard, 0)
    mallory.speak()
    await until(async () => heard === 1, 'a good one is forwarded')
    await nothingIsMissing()
  })

  test('SFU-8: a client that floods is ended, and nothing beyond the limit is forwarded', async () => {
    using mallory = await RawVoiceClient.enter(sfu, ['mallory', 'flood'])
    using listener = await RawVoiceClient.enter(sfu, ['listener', 'flood'])
    let heard = 0
    listener.onPacket((packet) => {
      heard += ((packet[1] ?? 0) & 127) === 111 ? 1 : 0
    })
    const isOut = () => sfu.tells('left').some(({ sessionId }) => sessionId === 'mallory')
    using flood = setInterval(() => {
      // Their connection is closed before this process is notified that they left.
      let at = 0
      while (at < 100 && mallory.tryToSpeak()) at += 1
    }, 10)
    await until(async () => isOut(), 'mallory is put out')
    clearInterval(flood)
    assert.ok(heard < 1500, `${heard} were forwarded`)
    assert.ok(heard > 0)
    await nothingIsMissing()
  })

  test('VIDEO-9: a client that floods with pictures is ended', async () => {
    const rights = { canUseVideo: true }
    using mallory = await RawVoiceClient.enter(sfu, ['painter', 'pictures'], rights, { hasVideo: true })
    const isOut = () => sfu.tells('left').some(({ sessionId }) => sessionId === 'painter')
    let sequence = 0
    using flood = setInterval(() => {
      let at = 0
      while (at < 150 && mallory.tryToShow(sequence + at)) at += 1
      sequence += at
    }, 10)
    await until(async () => isOut(), 'mallory is put out')
    clearInterval(flood)
    await nothingIsMissing()
  })
})

async function getsFifty(peer: VoicePeer): Promise<void> {
  const { received } = await peer.losses()
  await until(async () => (await peer.losses()).received > received + 50, 'media flows')
  assert.equal((await peer.losses()).lost, 0)
}

/** Frames that none of the others may be given. */
function spoiltFrames(client: RawVoiceClient): Buffer[] {
  const spoil = (change: (frame: Buffer) => Buffer | undefined) => {
    const frame = client.frame()
    return change(frame) ?? frame
  }
  return [
    spoil((frame) => void frame.writeUInt8(110, 1)),
    spoil((frame) => void frame.writeUInt8(0, 1)),
    spoil((frame) => void frame.writeUInt32BE((client.ssrc ^ 1) >>> 0, 8)),
    spoil((frame) => Buffer.concat([frame, Buffer.alloc(1250)])),
    spoil((frame) => frame.subarray(0, 20)),
  ]
}
