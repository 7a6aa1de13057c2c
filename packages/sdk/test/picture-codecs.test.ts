import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PictureCodec } from '@foyer/protocol/voice'
import { withOwnCodecs } from '@foyer/sdk/voice/own-codecs'
import { type CodedPicture, chooseCodec, encodesInHardware } from '@foyer/sdk/voice/picture-codecs'
import { announce, enter, senderChanges, watched } from './pictures-fixture.ts'
import { asked, makeTrack, signal } from './voice-fixture.ts'

describe('pictures', () => {
  test('CAMERA-8: offer Opus, and the codecs that are forwarded with their retransmissions', () => {
    const codec = (type: number, name: string) => [`a=rtpmap:${type} ${name}/90000`, `a=rtcp-fb:${type} nack`]
    const other = [
      ...codec(100, 'H264'),
      'a=fmtp:100 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f',
      ...codec(101, 'rtx'),
      'a=fmtp:101 apt=100',
      ...codec(102, 'VP9'),
      'a=fmtp:102 profile-id=2',
      ...codec(103, 'AV1'),
      'a=fmtp:103 level-idx=5;profile=1;tier=0',
      ...codec(45, 'red'),
    ]
    const video = [
      'm=video 9 UDP/TLS/RTP/SAVPF 96 97 98 99 100 101 102 103 45',
      'a=mid:1',
      ...codec(96, 'VP8'),
      ...codec(97, 'rtx'),
      'a=fmtp:97 apt=96',
      ...codec(98, 'H264'),
      ...codec(99, 'rtx'),
      'a=fmtp:99 apt=98',
      'a=fmtp:98 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
      ...other,
      'a=ssrc:7 cname:foyer',
    ]
    const audio = ['m=audio 9 UDP/TLS/RTP/SAVPF 111 8', 'a=rtpmap:111 opus/48000/2', 'a=rtpmap:8 PCMA/8000']
    const rows = withOwnCodecs(['v=0', ...audio, ...video, ''].join('\r\n')).split('\r\n')
    assert.deepEqual(rows, [
      'v=0',
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'a=rtpmap:111 opus/48000/2',
      'm=video 9 UDP/TLS/RTP/SAVPF 96 98 97 99',
      'a=mid:1',
      ...codec(96, 'VP8'),
      ...codec(97, 'rtx'),
      'a=fmtp:97 apt=96',
      ...codec(98, 'H264'),
      ...codec(99, 'rtx'),
      'a=fmtp:99 apt=98',
      'a=fmtp:98 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
      'a=ssrc:7 cname:foyer',
      '',
    ])
    const without = ['m=video 9 UDP/TLS/RTP/SAVPF 98', ...codec(98, 'H265'), ''].join('\r\n')
    assert.equal(withOwnCodecs(without), without)
  })

  test('CODEC-5: are sent in the best codec that is allowed for what they show', async (t) => {
    const room = await enter(t)
    const [, cameraSender, screenSender] = room.client.peer.pictures
    assert.ok(cameraSender && screenSender)
    const codecsOf = ({ parameters }: typeof cameraSender) => [
      ...new Set(
        parameters.encodings.map(
          (encoding) => `${Object(encoding).codec?.mimeType} ${Object(encoding).scalabilityMode}`,
        ),
      ),
    ]
    const allow = async (...codecs: PictureCodec[]) => {
      signal(room.connection, { kind: 'codecs', session_id: 'first', codecs })
      // The answer to the next signal comes after the handling of this one.
      room.voice.watch([{ user_id: `ben ${codecs.join()}`, source: 'camera' }])
      await watched(room.connection)
      await senderChanges()
    }
    signal(room.connection, { kind: 'answer', session_id: 'first', sdp: 'answer' })
    room.voice.setCamera(makeTrack())
    room.voice.setScreen(makeTrack('text'))
    await asked(room.connection)
    await announce(room, { self_video: true, self_stream: true })
    await senderChanges()
    assert.deepEqual(
      [codecsOf(cameraSender), codecsOf(screenSender)],
      [['undefined undefined'], ['undefined undefined']],
    )
    await allow('VP8', 'VP9', 'H264', 'AV1')
    assert.deepEqual(
      [codecsOf(cameraSender), codecsOf(screenSender)],
      [['video/VP8 undefined'], ['video/AV1 L1T1']],
    )
    await allow('VP8', 'VP9')
    assert.deepEqual(codecsOf(screenSender), ['video/VP9 L1T1'])
    room.voice.setScreen(makeTrack('motion'))
    await senderChanges()
    assert.deepEqual(codecsOf(screenSender), ['video/VP8 L1T1'])
  })

  test('CODEC-5: keep their codec and get their limits if the browser refuses another codec', async (t) => {
    const room = await enter(t)
    const [, , screenSender] = room.client.peer.pictures
    assert.ok(screenSender)
    screenSender.refusedCodecs = ['video/AV1']
    signal(room.connection, { kind: 'codecs', session_id: 'first', codecs: ['VP8', 'AV1'] })
    room.voice.setScreen(makeTrack('text'))
    await asked(room.connection)
    await announce(room, { self_stream: true })
    await senderChanges()
    const [, whole] = screenSender.parameters.encodings
    assert.deepEqual([Object(whole).codec, whole?.maxBitrate], [undefined, 2_500_000])
  })

  test('CODEC-5: are sent in H.264 where the device has hardware for it', async () => {
    const all = ['VP8', 'VP9', 'H264', 'AV1'] as const
    const camera = { kind: 'camera', contentHint: '' } as const
    const game = { kind: 'screen', contentHint: 'motion' } as const
    const choose = (picture: CodedPicture, codecs: readonly PictureCodec[], hasHardware: boolean) =>
      chooseCodec(picture, codecs, async () => hasHardware)
    assert.deepEqual([await choose(camera, all, true), await choose(game, all, true)], ['H264', 'H264'])
    assert.equal(await choose(camera, ['VP8'], true), 'VP8')
    assert.equal(await choose(camera, all, false), 'VP8')
    assert.equal(await choose(camera, [], true), undefined)
    assert.equal(await encodesInHardware(), false, 'without a browser')
  })
})
