import { Client } from '@foyer/sdk/client'
import { joinVoice } from '@foyer/sdk/voice/node'
import { RecordedClock } from './recorded-clock.ts'
import { AUDIO_TRACK, VIDEO_TRACK, WebmWriter } from './webm-writer.ts'

// BOT_TOKEN=… node recorder-bot.ts room-id user-id film.webm [address of the server]
const [, , roomId = '', userId = '', path = '', baseUrl = 'http://localhost:8080'] = process.argv
const client = new Client({ baseUrl, botToken: process.env.BOT_TOKEN ?? '' })
client.gateway.connect()
const voice = await joinVoice(client, { room_id: roomId })
voice.watch([{ user_id: userId, source: 'camera' }])
process.stdout.write('the recorder waits\n')

interface Recording {
  readonly file: Promise<WebmWriter>
  readonly pictures: RecordedClock
  readonly sounds: RecordedClock
}

let recording: Recording | undefined
const counts = { frames: 0, sounds: 0 }

voice.onVp8((_picture, { data, isKeyFrame, timestamp, ...size }) => {
  // The header of the file contains the size of the picture, so the recording begins with the first frame of a picture.
  recording ??= begin(size)
  const atMs = recording.pictures.timeOf(timestamp)
  if (atMs === undefined) return
  counts.frames += 1
  void recording.file.then((file) => file.write({ track: VIDEO_TRACK, atMs, isKeyFrame, data }))
})

voice.onOpus((speakerId, data, timestamp) => {
  const atMs = speakerId === userId ? recording?.sounds.timeOf(timestamp) : undefined
  if (atMs === undefined) return
  counts.sounds += 1
  void recording?.file.then((file) => file.write({ track: AUDIO_TRACK, atMs, isKeyFrame: true, data }))
})

voice.onStatus(({ phase }) => {
  if (phase === 'failed') void end()
})
process.once('SIGTERM', () => void end())

function begin(size: { width: number; height: number }): Recording {
  process.stdout.write(`the recorder records ${size.width} × ${size.height}\n`)
  const now = performance.now()
  return {
    file: WebmWriter.create(path, size),
    pictures: new RecordedClock(90, now),
    sounds: new RecordedClock(48, now),
  }
}

async function end(): Promise<void> {
  voice.leave()
  client.gateway.close()
  await (await recording?.file)?.close()
  process.stdout.write(`the recorder has ${counts.frames} frames, ${counts.sounds} of sound\n`)
}
