import { Client } from '@foyer/sdk/client'

// BOT_TOKEN=… node echo-bot.ts [address of the server]
const client = new Client({
  baseUrl: process.argv[2] ?? 'http://localhost:8080',
  botToken: process.env.BOT_TOKEN ?? '',
})

client.gateway.on('READY', ({ user, spaces }) => {
  process.stdout.write(`${user.username} listens in ${spaces.length} spaces\n`)
})

client.gateway.on('MESSAGE_CREATE', async ({ content, room_id }) => {
  if (content !== '!ping' || room_id === null) return
  try {
    await client.messages.create(room_id, { content: 'pong' })
  } catch (error) {
    process.stderr.write(`could not answer: ${error}\n`)
  }
})

client.gateway.onState((state, reason) => {
  if (reason !== null) process.stderr.write(`${state} for good: ${reason.code}\n`)
})

client.gateway.connect()
