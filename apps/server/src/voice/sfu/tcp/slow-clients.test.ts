import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { ends, TcpStage } from '#test/voice/tcp-stage.ts'
import { FrameReader, frameOf } from './frames.ts'

test('VTCP-6: a client that floods has to wait', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  const startedAt = performance.now()
  client.write(Buffer.concat(Array.from({ length: 8000 }, () => frameOf(Buffer.alloc(100)))))
  client.write(frameOf(Buffer.from('the end')))
  await until(async () => stage.received.at(-1)?.packet.toString() === 'the end', 'the last one arrives')
  // 3,000 at once, and the rest at 3,000 a second.
  assert.ok(performance.now() - startedAt > 1500)
})

/** Sends to a client that reads nothing, until something is dropped. */
async function floodWith(stage: TcpStage, first: readonly number[]): Promise<void> {
  const packet = Buffer.concat([Buffer.from(first), Buffer.alloc(1200)])
  using _flood = setInterval(() => {
    for (let sent = 0; sent < 100; sent += 1)
      stage.media.send(packet, stage.received[0]?.from.port, '127.0.0.1')
  }, 5)
  const before = stage.port.dropped
  await until(async () => stage.port.dropped > before + 1000, 'packets are dropped')
}

const RTP = [0x80, 111]

test('VTCP-6: of what a client does not read, media is dropped first, and nothing piles up', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  client.pause()
  const from = stage.received[0]?.from.port ?? 0
  await floodWith(stage, RTP)
  assert.equal(stage.port.connections, 1)
  let dropped = -1
  await until(async () => {
    const before = dropped
    dropped = stage.port.dropped
    return dropped === before
  }, 'what was sent has come')
  // STUN, DTLS and RTCP.
  const firsts = [[0x01, 0x01], [22], [0x81, 201], [0x80, 205]]
  for (const first of [...firsts, RTP]) stage.media.send(Buffer.from([...first, 0, 0]), from, '127.0.0.1')
  await until(async () => stage.port.dropped === dropped + 1, 'the last one, media, is dropped')
  const reader = new FrameReader()
  client.on('data', (bytes: Buffer) => reader.add(bytes)).resume()
  const found: Buffer[] = []
  await until(async () => {
    for (let packet = reader.next(); typeof packet !== 'string'; packet = reader.next())
      if (packet.length < 10) found.push(packet)
    return found.length === firsts.length
  }, 'they arrive')
  assert.deepEqual(
    found.map((packet) => [...packet.subarray(0, -2)]),
    firsts,
  )
})

test('VTCP-6: what is not media is dropped, too, once twice as much is unsent', async () => {
  using stage = await TcpStage.open()
  const client = await stage.enter()
  client.pause()
  await floodWith(stage, RTP)
  await floodWith(stage, [0x01, 0x01])
  assert.equal(stage.port.connections, 1)
})

test('VTCP-6: a connection that is silent is closed, although much is sent to it', async () => {
  using stage = await TcpStage.open({ silenceMs: 600 })
  const silent = (await stage.enter()).resume()
  const from = stage.received[0]?.from.port
  const listening = (await stage.enter()).resume()
  using _sound = setInterval(() => {
    stage.media.send('sound', from, '127.0.0.1')
    listening.write(frameOf(Buffer.alloc(0)))
  }, 50)
  await ends(silent)
  assert.equal(listening.destroyed, false)
})
