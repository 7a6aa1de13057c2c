import { RoomType } from '@foyer/protocol/rooms'
import { Client } from '@foyer/sdk/client'
import { ApiError } from '@foyer/sdk/rest'

// BOT_TOKEN=… node greeter-bot.ts [address of the server]
const baseUrl = process.argv[2] ?? 'http://localhost:8080'
const client = new Client({ baseUrl, botToken: process.env.BOT_TOKEN ?? '' })
const report = (problem: unknown) => process.stderr.write(`${problem}\n`)

client.gateway.on('READY', ({ user }) => process.stdout.write(`${user.username} greets\n`))
client.gateway.on('SPACE_MEMBER_CREATE', ({ space_id, user }) => {
  if (user.is_bot) return
  greet(space_id, user.alias ?? user.username).catch(report)
  makeGuest(space_id, user.id).catch(report)
})
client.gateway.onState((state, reason) => reason && report(`${state} for good: ${reason.code}`))
client.gateway.connect()

/** Posts a welcome in the first text room that the bot may write to. */
async function greet(spaceId: string, name: string) {
  for (const { id, type } of await client.rooms.list(spaceId)) {
    const isText = type === RoomType.Text
    if (isText && (await isAllowed(client.messages.create(id, { content: `Welcome, ${name}!` })))) return
  }
}

/** Assigns the role Guest, if the space has one below the bot's own role. */
async function makeGuest(spaceId: string, userId: string) {
  const { id } = await client.users.me()
  const [roles, self] = await Promise.all([client.roles.list(spaceId), client.members.get(spaceId, id)])
  const guest = roles.find(({ name, position }) => name === 'Guest' && position < self.position)
  if (guest) await isAllowed(client.roles.assign(spaceId, userId, guest.id))
}

const isAllowed = (call: Promise<unknown>) =>
  call
    .then(() => true)
    .catch((error) => (error instanceof ApiError && error.status === 403 ? false : Promise.reject(error)))
