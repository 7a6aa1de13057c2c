import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { RawVoiceClient } from '../apps/server/test/voice/raw-voice-client.ts'
import { SfuProcess } from '../apps/server/test/voice/sfu-process.ts'
import { eventually } from './eventually.ts'
import { Firefox, noFirefox, ownAddresses } from './firefox.ts'
import { PROTOCOLS, withoutUdp } from './without-udp.ts'

const OFFER = `(async () => {
  window.peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  const [microphone] = (await navigator.mediaDevices.getUserMedia({ audio: true })).getAudioTracks()
  peer.addTransceiver(microphone, { direction: 'sendonly' })
  peer.addTransceiver('audio', { direction: 'recvonly' })
  await peer.setLocalDescription(await peer.createOffer())
  return peer.localDescription.sdp
})()`

describe('Firefox where a network drops all UDP', { skip: noFirefox }, () => {
  let firefox: Firefox
  let sfu: SfuProcess
  let jonas: RawVoiceClient
  let silent: Socket
  let heard = 0
  /** Pages without an address have no microphone. */
  const site = createServer((_, answer) => answer.end('mira'))

  before(async () => {
    const options = { addresses: ownAddresses(), tcpPort: 0 }
    ;[firefox, sfu] = await Promise.all([Firefox.open(), SfuProcess.start(options)])
    silent = createSocket('udp4').bind(0)
    await once(silent, 'listening')
    jonas = await RawVoiceClient.enter(sfu, ['jonas', 'lounge'])
    jonas.onPacket(() => {
      heard += 1
    })
    await sfu.join('mira', 'lounge')
    await once(site.listen(0, '127.0.0.1'), 'listening')
    await firefox.goto(`http://localhost:${Object(site.address()).port}/`)
  })

  after(async () => {
    site.close()
    silent?.close()
    jonas?.close()
    await Promise.all([firefox?.close(), sfu?.stop()])
  })

  test('VTCP-4: connects by TCP, and is heard', async () => {
    const answer = await sfu.signal('mira', await firefox.evaluate(OFFER))
    const sdp = withoutUdp(answer, silent.address().port)
    const description = JSON.stringify({ type: 'answer', sdp })
    await firefox.evaluate(`peer.setRemoteDescription(${description}).then(() => 'set')`)
    await eventually(() => firefox.evaluate('peer.connectionState'), 'connected')
    await eventually(() => firefox.evaluate(PROTOCOLS), 'tcp')
    await eventually(() => heard > 50, true)
  })
})
