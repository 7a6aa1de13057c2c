import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { cameraOf, open } from '../../../test/opened-video.ts'

test('CALLWINDOW-1: a picture is requested as large as its largest tile, and a hidden one sends nothing', async () => {
  const opened = open()
  const [tile, small] = [{}, {}]
  opened.video.show(cameraOf('ada'), tile, 700)
  await setTimeout(60)
  opened.video.show(cameraOf('ada'), tile, 720)
  opened.video.show(cameraOf('ada'), small, 150)
  await setTimeout(200)
  assert.deepEqual(opened.heights, [[720]], 'no other layer fits')
  opened.video.show(cameraOf('ada'), tile, null)
  await setTimeout(200)
  opened.video.show(cameraOf('ada'), small, 0)
  await setTimeout(60)
  assert.deepEqual(opened.heights, [[720], [180], [0]])
  opened.video.watchStream('ben')
  opened.video.show({ user_id: 'ben', source: 'screen' }, tile, 1000)
  await setTimeout(60)
  assert.deepEqual(opened.heights.slice(-2), [
    [0, 0],
    [1080, 0],
  ])
})

test('CALLWINDOW-2: the last one who spoke is kept until the stay ends', () => {
  const opened = open()
  opened.video.setSpeaker('ada')
  assert.equal(opened.view().speaker, 'ada')
  opened.report({ phase: 'idle', place: undefined })
  assert.equal(opened.view().speaker, null)
})

test('CALLWINDOW-2: a user is pinned in the speaker view, which is kept, until the stay ends', async () => {
  const opened = open()
  opened.video.pin('ada')
  assert.deepEqual([opened.view().pinned, opened.view().settings.layout], ['ada', 'speaker'])
  assert.match(opened.storage.get('foyer.video') ?? '', /"layout":"speaker"/)
  opened.report({ phase: 'idle', place: undefined })
  assert.deepEqual([opened.view().pinned, opened.view().settings.layout], [null, 'speaker'])
})
