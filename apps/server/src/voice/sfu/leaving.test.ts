import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '#test/until.ts'
import { RawVoiceClient } from '#test/voice/raw-voice-client.ts'
import { SfuProcess } from '#test/voice/sfu-process.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import { enterRoom } from '#test/voice/voice-room.ts'

test('SFU-10: a client that never offers, never connects, or disappears is reported', async () => {
  const patience = { offerMs: 500, mediaMs: 5000, silenceMs: 6000 }
  const sfu = await SfuProcess.start({ patience })
  const reasonOf = (name: string) => sfu.tells('left').find(({ sessionId }) => sessionId === name)?.reason
  await sfu.join('idle', 'hall')
  await sfu.join('lost', 'hall')
  using lost = new VoicePeer()
  await sfu.signal('lost', await lost.offer())
  using ada = await enterRoom(sfu, ['ada', 'hall'], { tone: 1000 })
  const ghost = await enterAsProcess(sfu, ['ghost', 'hall'])
  await ada.hears(440)
  // It reports within five seconds; before that, only ICE would miss it.
  await delay(6000)
  ghost.kill('SIGKILL')
  await Promise.all([
    until(async () => reasonOf('idle') === 'unreachable', 'no offer came'),
    until(async () => reasonOf('lost') === 'unreachable', 'no media came'),
    until(async () => reasonOf('ghost') === 'left', 'nothing comes any more'),
  ])
  assert.deepEqual(sfu.heardBy('ada').filter(Boolean), [])
  assert.equal(reasonOf('ada'), undefined, 'who is there stays')
  await sfu.stop()
})

test('SFU-12: joins and leaves leave nothing behind, and the process ends with its parent', async () => {
  const sfu = await SfuProcess.start()
  await joinAndLeave(sfu, 3)
  const handles = handlesOf(sfu)
  await joinAndLeave(sfu, 30)
  const { rooms, sessions } = await sfu.ask('stats', {})
  assert.deepEqual({ rooms, sessions }, { rooms: 0, sessions: 0 })
  await until(async () => handlesOf(sfu) <= handles, 'no socket and no thread stays')
  sfu.child.disconnect()
  const [code] = await once(sfu.child, 'exit')
  assert.equal(code, 0)
})

test('SFU-10: a draining process ends all sessions, and accepts no more', async () => {
  const sfu = await SfuProcess.start()
  using ada = await enterRoom(sfu, ['ada', 'hall'], { tone: 440 })
  using ben = await enterRoom(sfu, ['ben', 'hall'])
  await ben.hears(440)
  await sfu.ask('drain', {})
  await ben.hears()
  await assert.rejects(sfu.join('cleo', 'hall'), { code: 'voice_unavailable' })
  assert.equal((await sfu.ask('stats', {})).sessions, 0)
  ada.close()
  await sfu.stop()
})

async function joinAndLeave(sfu: SfuProcess, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    const name = `client ${at}`
    const client = await RawVoiceClient.enter(sfu, [name, 'hall'])
    client.speak()
    await sfu.ask('kick', { sessionId: name })
    client.close()
  }
}

/** Open files and threads. */
function handlesOf({ child: { pid } }: SfuProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length + readdirSync(`/proc/${pid}/task`).length
}

async function enterAsProcess(sfu: SfuProcess, [name, roomId]: readonly [name: string, roomId: string]) {
  const child = fork(new URL('../../../test/voice/voice-peer-main.ts', import.meta.url), { execArgv: [] })
  const [offer] = await once(child, 'message')
  await sfu.join(name, roomId)
  const connected = once(child, 'message')
  child.send(await sfu.signal(name, offer))
  await connected
  return child
}
