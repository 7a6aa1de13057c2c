import { readFile } from 'node:fs/promises'
import { Client } from '@foyer/sdk/client'
import { joinVoice } from '@foyer/sdk/voice/node'
import { FilmClock, play } from './film-clock.ts'
import { readWebm } from './webm-reader.ts'

// BOT_TOKEN=… node player-bot.ts room-id film.webm [address of the server]
const [, , roomId = '', path = '', baseUrl = 'http://localhost:8080'] = process.argv
const { video, audio } = readWebm(await readFile(path))
const startMs = Math.min(...[video, audio].map(([first]) => first?.atMs ?? Number.POSITIVE_INFINITY))

const client = new Client({ baseUrl, botToken: process.env.BOT_TOKEN ?? '' })
client.gateway.connect()
const voice = await joinVoice(client, { room_id: roomId })
// Rejects if the bot lacks the capability to use video. A player could then share a screen instead, or just play the sound.
await voice.startPicture('camera')
process.stdout.write('the film begins\n')

// The key frames of an encoded film are fixed, so people who begin to watch wait for the next one. A bot that encodes by
// itself makes a key frame whenever `voice.onKeyFrameWanted` asks for one.
const clock = new FilmClock(startMs)
const sent = await Promise.all([
  play(video, clock, ({ data }, atMs) => voice.sendVp8('camera', data, atMs)),
  play(audio, clock, ({ data }) => voice.sendOpus(data)),
])
process.stdout.write(`the film is over: ${sent[0]} frames, ${sent[1]} of sound\n`)
voice.leave()
client.gateway.close()
