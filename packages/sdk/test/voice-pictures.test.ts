import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { announce, enter, letIn, QUICK, senderChanges, watched } from './pictures-fixture.ts'
import { asked, grant, makeTrack, refuse, signal, VIDEO, VoiceFixture } from './voice-fixture.ts'

describe('the lines for pictures', () => {
  test('CAMERA-8: follow those of voices in the order that the server reads, only with a grant of video', async (t) => {
    const { client, voice } = await enter(t)
    assert.deepEqual(client.peer.lines, [
      'audio sendonly',
      'audio recvonly',
      'video sendonly',
      'video sendonly',
      ...Array(VIDEO.slots).fill('video recvonly'),
    ])
    assert.equal(voice.status.hasVideo, true)
    const older = await VoiceFixture.start(t)
    await older.enter()
    assert.deepEqual([older.peer.lines, older.voice.status.hasVideo], [[], false])
  })
})

describe('a camera and a screen', () => {
  test('CAMERA-1, CAMERA-8: are sent once everyone knows of them, with limits by what they show', async (t) => {
    const room = await enter(t)
    const [camera, screen, sound] = [makeTrack(), makeTrack('text'), makeTrack()]
    const [soundSender, cameraSender, screenSender] = room.client.peer.pictures
    assert.ok(soundSender && cameraSender && screenSender)
    room.voice.setCamera(camera)
    assert.equal((await asked(room.connection)).self_video, true)
    assert.deepEqual([room.voice.status.selfVideo, cameraSender.track], [true, null])
    await announce(room, { self_video: true })
    assert.equal(cameraSender.track, camera)
    room.voice.setScreen(screen, sound)
    assert.equal((await asked(room.connection)).self_stream, true)
    await announce(room, { self_video: true, self_stream: true })
    assert.deepEqual([screenSender.track, soundSender.track], [screen, sound])
    await senderChanges()
    assert.equal(screenSender.parameters.degradationPreference, 'maintain-resolution')
    assert.ok(Number(cameraSender.parameters.encodings.at(-1)?.maxBitrate) > 1_000_000)
    const game = makeTrack('motion')
    room.voice.setScreen(game)
    assert.deepEqual([screenSender.track, soundSender.track], [game, null])
    await senderChanges()
    assert.equal(screenSender.parameters.degradationPreference, 'maintain-framerate')
    room.voice.setCamera(null)
    assert.equal(cameraSender.track, null)
    const { self_video, self_stream } = await asked(room.connection)
    assert.deepEqual([self_video, self_stream], [undefined, true])
  })

  test('CALLWINDOW-1: are sent in layers, and whole to a server that takes none', async (t) => {
    const room = await enter(t)
    const [, cameraSender, screenSender] = room.client.peer.pictures
    assert.ok(cameraSender && screenSender)
    const layersOf = ({ parameters }: typeof cameraSender) =>
      parameters.encodings.map(({ rid, scaleResolutionDownBy }) => [rid, scaleResolutionDownBy])
    assert.deepEqual(layersOf(screenSender), [
      ['h', 2],
      ['f', 1],
    ])
    room.voice.setCamera(makeTrack())
    await asked(room.connection)
    await announce(room, { self_video: true })
    await senderChanges()
    assert.deepEqual(layersOf(cameraSender), [
      ['q', 4],
      ['h', 2],
      ['f', 1],
    ])
    // As a browser does with an answer without layers.
    cameraSender.parameters.encodings.splice(1)
    signal(room.connection, { kind: 'answer', session_id: 'first', sdp: 'answer' })
    room.voice.watch([{ user_id: 'ben', source: 'camera', height: 180 }])
    await watched(room.connection)
    await senderChanges()
    const [{ rid, scaleResolutionDownBy, maxBitrate } = {}] = cameraSender.parameters.encodings
    assert.deepEqual([rid, scaleResolutionDownBy, maxBitrate], ['q', 1, 1_700_000])
  })

  test('CAMERA-1: that are turned on while joining are announced after the grant', async (t) => {
    const client = await VoiceFixture.start(t, QUICK)
    const connection = await client.connect()
    const joined = client.voice.join({ room_id: 'hall' })
    client.voice.setCamera(makeTrack())
    await letIn(client, connection, 'first')
    await joined
    assert.equal((await asked(connection)).self_video, true)
  })

  for (const [code, source] of [
    ['camera_limit', 'camera'],
    ['missing_permission', 'camera'],
    ['screen_limit', 'screen'],
  ] as const) {
    test(`CAMERA-3: that is refused with ${code} is given up, and the rest of the flags is sent again`, async (t) => {
      const { connection, voice, refusals } = await enter(t)
      if (source === 'camera') voice.setCamera(makeTrack())
      else voice.setScreen(makeTrack())
      refuse(connection, code, (await asked(connection)).nonce)
      const again = await asked(connection)
      assert.deepEqual([again.self_video, again.self_stream], [undefined, undefined])
      assert.deepEqual(refusals, [{ source, code }])
      assert.deepEqual([voice.status.selfVideo, voice.status.selfStream], [false, false])
    })
  }

  test('CAMERA-3: that are live stay when another one is refused', async (t) => {
    const room = await enter(t)
    room.voice.setScreen(makeTrack())
    await asked(room.connection)
    await announce(room, { self_stream: true })
    room.voice.setCamera(makeTrack())
    refuse(room.connection, 'missing_permission', (await asked(room.connection)).nonce)
    const again = await asked(room.connection)
    assert.deepEqual([again.self_video, again.self_stream], [undefined, true])
    assert.deepEqual(room.refusals, [{ source: 'camera', code: 'missing_permission' }])
  })

  test('CAMERA-3: that the server takes away end, and those of a change under way do not', async (t) => {
    const room = await enter(t)
    room.voice.setCamera(makeTrack())
    await announce(room, { mute: true })
    assert.deepEqual([room.voice.status.selfVideo, room.refusals], [true, []])
    await announce(room, { self_video: true })
    await announce(room, {})
    assert.deepEqual(room.refusals, [{ source: 'camera', code: 'missing_permission' }])
    assert.deepEqual([room.voice.status.selfVideo, room.client.peer.pictures[1]?.track], [false, null])
  })

  test('CAMERA-1: are sent again after a lost connection, and end with the stay', async (t) => {
    const room = await enter(t)
    const camera = makeTrack()
    room.voice.setCamera(camera)
    await asked(room.connection)
    await announce(room, { self_video: true })
    const back = room.client.reaches('reconnecting')
    room.client.peer.become('failed')
    await back
    const isBack = room.client.reaches('connected')
    const rejoin = await asked(room.connection)
    assert.equal(rejoin.self_video, undefined, 'a full room must not refuse the person')
    grant(room.connection, 'second', rejoin.nonce, VIDEO)
    await room.client.comeUp(room.connection)
    await isBack
    assert.equal((await asked(room.connection)).self_video, true)
    assert.equal(room.client.peer.pictures[1]?.track, null)
    await announce(room, { self_video: true }, 'second')
    assert.equal(room.client.peer.pictures[1]?.track, camera)
    room.voice.leave()
    assert.equal(room.voice.status.selfVideo, false)
    room.voice.setCamera(camera)
    assert.equal(room.voice.status.selfVideo, false, 'there is nobody to see it')
  })
})

describe('watched pictures', () => {
  test('CAMERA-4: are requested, again after a lost connection, and at most eight', async (t) => {
    const { client, connection, voice } = await enter(t)
    const everyone = Array.from({ length: 9 }, (_, at) => ({ user_id: `u${at}`, source: 'camera' as const }))
    voice.watch(everyone)
    const list = { kind: 'watch', session_id: 'first', watched: everyone.slice(0, 8), nonce: 'watch first' }
    assert.deepEqual(await watched(connection), list)
    voice.watch(everyone)
    const isBack = client.reaches('reconnecting').then(() => client.reaches('connected'))
    client.peer.become('failed')
    await letIn(client, connection, 'second')
    await isBack
    assert.deepEqual(await watched(connection), { ...list, session_id: 'second', nonce: 'watch second' })
    voice.watch([])
    assert.deepEqual((await watched(connection)).watched, [])
  })

  test('CALLWINDOW-1: are requested again when only a height changes', async (t) => {
    const { connection, voice } = await enter(t)
    for (const height of [360, 720, 0]) {
      const list = [{ user_id: 'ben', source: 'camera' as const, height }]
      voice.watch(list)
      assert.deepEqual((await watched(connection)).watched, list)
    }
  })

  test('CAMERA-4: are requested again after a refusal that can pass, and not after others', async (t) => {
    const { connection, voice } = await enter(t)
    const [one, other] = ['ada', 'ben'].map((user_id) => [{ user_id, source: 'camera' as const }])
    assert.ok(one && other)
    voice.watch(one)
    const { nonce } = await watched(connection)
    voice.watch(other)
    assert.deepEqual((await watched(connection)).watched, other)
    refuse(connection, 'voice_unavailable', nonce)
    assert.deepEqual((await watched(connection)).watched, other)
    refuse(connection, 'unknown_voice_session', nonce)
    voice.watch([])
    assert.deepEqual((await watched(connection)).watched, [], 'what is over is not asked for again')
    refuse(connection, 'voice_unavailable', nonce)
    assert.deepEqual((await watched(connection)).watched, [], 'otherwise the server would go on sending')
  })

  test('CAMERA-5: follow the slots, without the sound of screens while deafened', async (t) => {
    const { client, connection, voice } = await enter(t)
    const pictures: unknown[] = []
    const sounds: unknown[] = []
    voice.onPictures((received) => pictures.push(received))
    voice.onScreenSounds((received) => sounds.push(received))
    const [, , sound, , screen] = client.peer.received
    const taken = new Promise<void>((resolve) => void voice.onPictures(() => resolve()))
    signal(connection, {
      kind: 'pictures',
      session_id: 'first',
      slots: [{ slot: 1, user_id: 'ben', source: 'screen' }],
      sounds: [{ slot: 0, user_id: 'ben' }],
    })
    await taken
    assert.deepEqual(pictures, [[{ user_id: 'ben', source: 'screen', track: screen }]])
    assert.equal(Object(pictures[0])[0].track, screen)
    assert.equal(Object(sounds[0])[0].track, sound)
    voice.setSelf({ deaf: true })
    assert.deepEqual(sounds.at(-1), [])
    voice.setSelf({ deaf: false })
    assert.equal(Object(sounds.at(-1)).length, 1)
    voice.leave()
    assert.deepEqual([pictures.at(-1), sounds.at(-1)], [[], []])
  })
})
