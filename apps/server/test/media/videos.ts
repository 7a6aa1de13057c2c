import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

const FORMATS = {
  mp4: () => new Mp4OutputFormat(),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
}

interface Film {
  format: keyof typeof FORMATS
  /** Undefined for audio only. */
  picture?: { width: number; height: number; rotation?: 0 | 90 }
}

/** Makes a container with one dummy packet, which is enough to measure it. */
export async function makeFilm({ format, picture }: Film): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: FORMATS[format](), target })
  const packet = new EncodedPacket(new Uint8Array([0xfc, 0xff, 0xfe]), 'key', 0, 1)
  const audio = new EncodedAudioPacketSource('opus')
  const video = new EncodedVideoPacketSource('vp9')
  output.addAudioTrack(audio)
  if (picture !== undefined) output.addVideoTrack(video, { rotation: picture.rotation ?? 0 })
  await output.start()
  await audio.add(packet, { decoderConfig: { codec: 'opus', sampleRate: 48_000, numberOfChannels: 2 } })
  if (picture !== undefined) {
    const { width: codedWidth, height: codedHeight } = picture
    await video.add(packet, { decoderConfig: { codec: 'vp09.00.10.08', codedWidth, codedHeight } })
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}
