import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import { cameraOf, FakeTrack, live, open } from '../../../test/opened-video.ts'

test('CAMERA-1: the camera is sent while it is on, and its light goes off with it', async () => {
  const opened = open()
  const turning = opened.video.toggleCamera()
  assert.equal(opened.view().camera.phase, 'opening')
  const camera = new FakeTrack()
  opened.cameras[0]?.resolve(camera.track)
  await turning
  assert.deepEqual([opened.view().camera.phase, opened.sent.camera], ['on', camera.track])
  await opened.video.toggleCamera()
  assert.deepEqual([opened.view().camera.phase, opened.sent.camera, camera.isOpen], ['off', null, false])
})

test('CAMERA-1: a camera that opens after it was turned off, or after leaving, is closed at once', async () => {
  for (const end of ['turn off', 'leave']) {
    const opened = open()
    const turning = opened.video.toggleCamera()
    if (end === 'leave') opened.report({ phase: 'idle', place: undefined })
    else await opened.video.toggleCamera()
    const camera = new FakeTrack()
    opened.cameras[0]?.resolve(camera.track)
    await turning
    assert.deepEqual([camera.isOpen, opened.view().camera.phase, opened.view().trouble], [false, 'off', null])
  }
})

test('CAMERA-1: a camera that opened while the code of voice was loading is sent as soon as it joins', async () => {
  const opened = open({ isLoaded: false })
  opened.report({ phase: 'joining' })
  const turning = opened.video.toggleCamera()
  const camera = new FakeTrack()
  opened.cameras[0]?.resolve(camera.track)
  await turning
  opened.video.show(cameraOf('ada'), opened, 360)
  await setTimeout(60)
  opened.video.attach(opened.line)
  assert.deepEqual([opened.sent.camera, opened.watched], [null, []])
  opened.report({ phase: 'connecting' })
  assert.deepEqual([opened.sent.camera, opened.watched], [camera.track, [['camera ada']]])
  opened.report({ phase: 'connected' })
  assert.equal(opened.watched.length, 1)
  // A stream alone is watched as early.
  const other = open({ isLoaded: false })
  other.video.watchStream('ben')
  other.video.attach(other.line)
  other.report({ phase: 'connecting' })
  assert.deepEqual(other.watched, [['screen ben']])
})

test('CAMERA-1: leaving, a failure and another room end the camera and the screen', async () => {
  const ends: Partial<VoiceStatus>[] = [
    { phase: 'idle', place: undefined },
    { phase: 'failed', reason: 'taken_over' },
    { phase: 'joining', place: { space_id: null, room_id: 'den', conversation_id: null } },
  ]
  for (const end of ends) {
    const { opened, camera, video, audio } = await live()
    opened.report({ phase: 'reconnecting' })
    assert.ok(camera.isOpen && video.isOpen, 'a lost connection changes nothing')
    opened.report(end)
    assert.deepEqual([camera.isOpen, video.isOpen, audio.isOpen], [false, false, false])
    assert.deepEqual(opened.sent, { camera: null, screen: null, sound: null })
  }
})

test('CAMERA-2: each trouble of a camera and a screen has its reason, and a cancelled choice has none', async () => {
  const camera = async (name: string) => {
    const opened = open()
    const turning = opened.video.toggleCamera()
    opened.cameras[0]?.reject(new DOMException('no', name))
    await turning
    assert.equal(opened.view().camera.phase, 'off')
    return opened.view().trouble
  }
  assert.equal(await camera('NotAllowedError'), 'camera_denied')
  assert.equal(await camera('NotFoundError'), 'camera_missing')
  assert.equal(await camera('NotReadableError'), 'camera_busy')
  assert.equal(await camera('SecurityError'), 'insecure')
  const screen = async (name: string, message: string) => {
    const opened = open()
    opened.video.toggleScreen()
    const sharing = opened.video.shareScreen(true)
    opened.screens[0]?.reject(new DOMException(message, name))
    await sharing
    const { screen: own, isChoosing, trouble } = opened.view()
    assert.deepEqual([own.phase, isChoosing], ['off', false])
    return trouble
  }
  assert.equal(await screen('NotAllowedError', 'Permission denied'), null)
  assert.equal(await screen('NotAllowedError', 'Permission denied by system'), 'screen_denied')
  assert.equal(await screen('NotReadableError', 'broken'), 'screen_busy')
})

test('CAMERA-2: an unplugged camera is explained, and a screen ended by the browser’s bar is not', async () => {
  const { opened, camera, video, audio } = await live()
  video.end()
  assert.deepEqual([opened.sent.screen, audio.isOpen, opened.view().trouble], [null, false, null])
  camera.end()
  assert.deepEqual([opened.sent.camera, opened.view().trouble], [null, 'camera_lost'])
})

test('CAMERA-3: what the server takes away or refuses is no longer captured, and is explained', async () => {
  for (const [refusal, trouble] of [
    [{ source: 'camera', code: 'missing_permission' }, 'camera_forbidden'],
    [{ source: 'camera', code: 'camera_limit' }, 'camera_limit'],
    [{ source: 'screen', code: 'screen_limit' }, 'screen_limit'],
    [{ source: 'screen', code: 'missing_permission' }, 'screen_forbidden'],
    [{ source: 'screen', code: 'odd' }, 'screen_failed'],
  ] as const) {
    const { opened, camera, video } = await live()
    opened.refuse(refusal)
    const isCamera = refusal.source === 'camera'
    assert.deepEqual([camera.isOpen, video.isOpen], [!isCamera, isCamera])
    assert.equal(opened.view().trouble, trouble)
  }
})

test('CAMERA-4: cameras are watched in sight, and streams from the click until they end', async () => {
  const opened = open()
  opened.video.show(cameraOf('ada'), opened, 360)
  opened.video.show(cameraOf('ben'), opened, 360)
  await setTimeout(60)
  assert.deepEqual(opened.watched, [['camera ada', 'camera ben']])
  opened.video.watchStream('ben')
  assert.deepEqual(opened.watched.at(-1), ['screen ben', 'camera ada', 'camera ben'])
  opened.video.show(cameraOf('ada'), opened, null)
  opened.video.show(cameraOf('ben'), opened, null)
  await setTimeout(60)
  assert.deepEqual(opened.watched.at(-1), ['screen ben'], 'its sound goes on elsewhere')
  opened.video.keepStreams([{ user_id: 'ben', session_id: 'first', self_stream: true }])
  assert.equal(opened.watched.length, 3)
  opened.video.keepStreams([{ user_id: 'ben', session_id: 'first', self_stream: false }])
  assert.deepEqual([opened.watched.at(-1), opened.view().streams], [[], []])
})

test('CAMERA-5: a stream has its own volume, which voices do not share', async () => {
  const opened = open({ volumes: { ben: 50, 'stream:ben': 150 } })
  assert.deepEqual(opened.volumes.at(-1), { ben: 150 })
})

test('CAMERA-6: a screen is captured with its sound only by who may speak', async () => {
  const { opened } = await live()
  assert.deepEqual([opened.asked, opened.view().sharesSound], [[true], true])
  opened.video.toggleScreen()
  assert.equal(opened.view().sharesSound, false)
  void opened.video.shareScreen(false)
  assert.deepEqual(opened.asked, [true, false])
})

test('settings are kept, and a newly chosen camera replaces the open one', async () => {
  const { opened, camera } = await live()
  opened.video.changeSettings({ camera: 'desk', mode: 'motion', sharesSound: false })
  const other = new FakeTrack()
  opened.cameras[1]?.resolve(other.track)
  await setImmediate()
  assert.deepEqual([camera.isOpen, opened.sent.camera], [false, other.track])
  const again = open({ kept: opened.storage })
  assert.deepEqual(again.view().settings, {
    camera: 'desk',
    mode: 'motion',
    sharesSound: false,
    layout: 'grid',
  })
})
