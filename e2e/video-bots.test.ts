import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, afterEach, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { RoomType } from '@foyer/protocol/rooms'
import { Client } from '@foyer/sdk/client'
import { joinVoice } from '@foyer/sdk/voice/node'
import { readWebm, type Webm } from '../packages/sdk/examples/webm-reader.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { playFilm, recordFilm } from './film.ts'
import { LossyGateway } from './lossy-gateway.ts'
import { PicturePeer } from './picture-peer.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

type BotProgram = ChildProcessByStdio<null, Readable, null>

const SECONDS = 8
/** Frames before the first key frame that arrives, of which there are two a second. */
const MISSED = 20

/** The tests run in order: each continues where the previous one ended. */
describe('bots that play and record films', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let viewer: PicturePeer
  let spaceId: string
  let lounge: string
  let film: Webm
  const programs: BotProgram[] = []

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    const people = [await settle(stage, 'mira'), await settle(stage, 'jonas')] as const
    host = people[0]
    const { rooms, space } = await gather('Sunday hikers', people)
    spaceId = space.id
    lounge = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    viewer = new PicturePeer(people[1], lounge)
  })
  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    for (const program of programs) program.kill('SIGKILL')
    viewer?.leave()
    await stage?.close()
  })

  const fileOf = (name: string) => join(stage.dataDir, `${name}.webm`)

  async function makeBot(name: string): Promise<{ id: string; token: string }> {
    const { application, token } = await host.client.applications.create({ name })
    await host.client.members.addBot(spaceId, application.bot.id)
    return { id: application.bot.id, token }
  }

  /** Starts an example. @returns it, and a function that waits until it has written this */
  function start(name: string, token: string, args: readonly string[]) {
    const path = fileURLToPath(new URL(`../packages/sdk/examples/${name}.ts`, import.meta.url))
    const program = spawn(process.execPath, [path, ...args, stage.program.url], {
      env: { ...process.env, BOT_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    programs.push(program)
    let written = ''
    program.stdout.on('data', (text) => {
      written += text
    })
    const says = async (pattern: RegExp) => {
      await eventually(() => pattern.test(written), true)
      return [...(pattern.exec(written) ?? [])].slice(1).map(Number)
    }
    return { program, says }
  }

  test('VIDEOBOT-9: a bot plays a film that a browser has recorded; another bot and a browser receive all of it', async () => {
    await writeFile(fileOf('film'), await recordFilm(host.person.page, SECONDS))
    film = readWebm(await readFile(fileOf('film')))
    assert.ok(film.video.length > SECONDS * 8 && film.audio.length > SECONDS * 10)
    const [player, recorder] = [await makeBot('Player'), await makeBot('Recorder')]
    const recording = start('recorder-bot', recorder.token, [lounge, player.id, fileOf('recorded')])
    await recording.says(/the recorder waits/)
    await viewer.join()
    viewer.watch([{ user_id: player.id, source: 'camera' }])
    const playing = start('player-bot', player.token, [lounge, fileOf('film')])
    await recording.says(/records 480 × 360/)
    await eventually(async () => (await viewer.seen())[0]?.width, 480)
    const ended = once(playing.program, 'exit')
    const sent = await playing.says(/is over: (\d+) frames, (\d+) of sound/)
    assert.deepEqual(sent, [film.video.length, film.audio.length])
    assert.deepEqual(await ended, [0, null])
    const decoded = (await viewer.frames()).decoded
    assert.ok(decoded > film.video.length - MISSED, `the browser has decoded ${decoded}`)
    assert.equal(await viewer.heard('voices'), 1)
    const stopped = once(recording.program, 'exit')
    recording.program.kill('SIGTERM')
    const [frames = 0, sounds = 0] = await recording.says(/has (\d+) frames, (\d+) of sound/)
    assert.deepEqual(await stopped, [0, null])
    assert.ok(frames > film.video.length - MISSED && frames <= film.video.length, `${frames} frames`)
    assert.ok(sounds > film.audio.length * 0.8 && sounds <= film.audio.length, `${sounds} of sound`)
  })

  test('VIDEOBOT-9: a browser plays what the bot has recorded, with its picture and sound', async () => {
    const recorded = await readFile(fileOf('recorded'))
    const { video } = readWebm(recorded)
    const played = await playFilm(host.person.page, recorded)
    assert.deepEqual([played.width, played.height], [480, 360])
    assert.ok(played.frames >= video.length * 0.9 && played.frames <= video.length + 1, `${played.frames}`)
    const seconds = ((video.length - 1) / film.video.length) * SECONDS
    for (const length of [played.seconds, played.sound.seconds])
      assert.ok(Math.abs(length - seconds) < 1.5, `${length} s instead of ${seconds}`)
    assert.ok(played.sound.peak > 0.3, `a loudness of ${played.sound.peak}`)
  })

  test('VIDEOBOT-5 and VIDEOBOT-7: over lines that lose 5 percent, nearly all frames arrive, and unchanged', async (t) => {
    const bots = await Promise.all(['Sender', 'Receiver'].map(makeBot))
    const clients = bots.map(({ token }) => new Client({ baseUrl: stage.program.url, botToken: token }))
    const lines = clients.map(
      ({ gateway }, seed) => new LossyGateway(gateway, { loss: 0.05, seed: seed + 1 }),
    )
    for (const { gateway } of clients) gateway.connect()
    const voices = await Promise.all(lines.map(({ gateway }) => joinVoice({ gateway }, { room_id: lounge })))
    t.after(() => {
      for (const voice of voices) voice.leave()
      for (const { gateway } of clients) gateway.close()
      for (const line of lines) line.close()
    })
    const [sender, receiver] = voices
    assert.ok(sender && receiver)
    const arrived: string[] = []
    receiver.onVp8((_picture, { data }) => arrived.push(Buffer.from(data).toString('base64')))
    receiver.watch([{ user_id: bots[0]?.id ?? '', source: 'camera' }])
    await sender.startPicture('camera')
    const sent = film.video.map(({ data, atMs }) => sender.sendVp8('camera', data, atMs))
    assert.ok((await Promise.all(sent)).every((isSent) => isSent))
    const originals = film.video.map(({ data }) => Buffer.from(data).toString('base64'))
    await eventually(() => arrived.at(-1) === originals.at(-1), true)
    assert.ok(arrived.length > originals.length - MISSED, `${arrived.length} of ${originals.length} frames`)
    assert.deepEqual(arrived, originals.slice(originals.indexOf(arrived[0] ?? '')))
    const lost = lines.map((line) => line.lost)
    assert.ok(Math.min(...lost) > 0, `${lost} packets were lost`)
  })
})
