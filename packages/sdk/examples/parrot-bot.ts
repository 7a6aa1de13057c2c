import { Client } from '@foyer/sdk/client'
import { joinVoice } from '@foyer/sdk/voice/node'

// BOT_TOKEN=… node parrot-bot.ts room-id [address of the server]
const [, , roomId = '', baseUrl = 'http://localhost:8080'] = process.argv
const client = new Client({ baseUrl, botToken: process.env.BOT_TOKEN ?? '' })
const DELAY_MS = 1000

let ownId = ''
client.gateway.on('READY', ({ user }) => {
  ownId = user.id
})
client.gateway.connect()
const voice = await joinVoice(client, { room_id: roomId })
process.stdout.write('the parrot listens\n')

// Repeats one speaker at a time: alternating frames of several people would be unintelligible.
voice.onOpus((userId, frame) => {
  const [speaker] = [...voice.status.speaking].filter((id) => id !== ownId)
  if (userId === speaker) setTimeout(() => void voice.sendOpus(frame), DELAY_MS)
})

voice.onStatus(({ phase, reason }) => {
  if (phase !== 'failed') return
  process.stderr.write(`the parrot cannot stay: ${reason}\n`)
  client.gateway.close()
})

process.once('SIGTERM', () => {
  voice.leave()
  client.gateway.close()
})
