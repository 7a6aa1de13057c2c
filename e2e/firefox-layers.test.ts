import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { PicturePacket } from '../apps/server/src/voice/sfu/video/picture-packet.ts'
import { RawVoiceClient } from '../apps/server/test/voice/raw-voice-client.ts'
import { SfuProcess } from '../apps/server/test/voice/sfu-process.ts'
import { eventually } from './eventually.ts'
import { Firefox, noFirefox, ownAddresses } from './firefox.ts'

/** Height of the camera that Firefox has for tests. */
const CAMERA_HEIGHT = 480
const OFFER = `(async () => {
  window.peer = new RTCPeerConnection()
  const [camera] = (await navigator.mediaDevices.getUserMedia({ video: true })).getVideoTracks()
  peer.addTransceiver('audio', { direction: 'sendonly' })
  const sendEncodings = [{ rid: 'q', scaleResolutionDownBy: 4 }, { rid: 'h', scaleResolutionDownBy: 2 }, { rid: 'f' }]
  peer.addTransceiver(camera, { direction: 'sendonly', sendEncodings })
  await peer.setLocalDescription(await peer.createOffer())
  return peer.localDescription.sdp
})()`

/** Firefox names layers and their repairs like Chromium, but also the sources in its offer. */
describe('a camera of Firefox in three layers', { skip: noFirefox }, () => {
  let firefox: Firefox
  let sfu: SfuProcess
  let viewer: RawVoiceClient
  const heights: number[] = []
  /** Pages without an address have no camera. */
  const site = createServer((_, answer) => answer.end('mira'))

  before(async () => {
    ;[firefox, sfu] = await Promise.all([Firefox.open(), SfuProcess.start({ addresses: ownAddresses() })])
    viewer = await RawVoiceClient.enter(sfu, ['jonas', 'lounge'], {}, { hasVideo: true })
    viewer.onPacket((received) => {
      const packet = new PicturePacket()
      const isPicture = ((received[1] ?? 0) & 127) === 96 && packet.read(received, 'VP8', false)
      if (isPicture && packet.startsKeyFrame) heights.push(packet.height)
    })
    await sfu.join('mira', 'lounge', { canUseVideo: true })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    await firefox.goto(`http://localhost:${Object(site.address()).port}/`)
    const answer = await sfu.signal('mira', await firefox.evaluate(OFFER))
    await firefox.evaluate(
      `peer.setRemoteDescription(${JSON.stringify({ type: 'answer', sdp: answer })}).then(() => 'set')`,
    )
  })

  after(async () => {
    site.close()
    viewer?.close()
    await Promise.all([firefox?.close(), sfu?.stop()])
  })

  /** Waits until a viewer who shows the picture at a height receives one of the expected height. */
  async function sees(height: number | undefined, expected: number): Promise<void> {
    const picture = { userId: 'mira', source: 'camera' as const }
    const watched = [height === undefined ? picture : { ...picture, height }]
    await sfu.ask('watch', { sessionId: 'jonas', watched })
    await eventually(() => heights.at(-1), expected)
  }

  test('LAYER-2: its layers are told apart, and each height has the lowest that fills it', async () => {
    await sees(undefined, CAMERA_HEIGHT)
    await sees(1, CAMERA_HEIGHT / 4)
    await sees(CAMERA_HEIGHT / 4 + 1, CAMERA_HEIGHT / 2)
    await sees(CAMERA_HEIGHT, CAMERA_HEIGHT)
  })
})
