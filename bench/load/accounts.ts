import { RoomType } from '@foyer/protocol/rooms'
import { Client } from '@foyer/sdk/client'
import { inGroups } from './groups.ts'

/** A user who owns a space with a text room. */
export interface Account {
  client: Client
  userId: string
  accessToken: string
  sessionToken: string
  spaceId: string
  roomId: string
}

/** Parallel sign-ups: hashing a password occupies one of the server's four threads for a while. */
const AT_ONCE = 4

/** Signs up users, each with a space of their own. @param there number of users that exist already */
export function signUp(port: number, count: number, there = 0): Promise<Account[]> {
  const numbers = Array.from({ length: count }, (_, index) => there + index + 1)
  return inGroups(numbers, AT_ONCE, (number) => signUpOne(port, number))
}

async function signUpOne(port: number, number: number): Promise<Account> {
  const client = new Client({ baseUrl: `http://127.0.0.1:${port}` })
  const username = `person_${number}`
  const login = await client.auth.signin({
    username,
    email: `${username}@example.org`,
    password: 'correct horse battery staple',
    alias: `Person ${number}`,
  })
  const { space, rooms } = await client.spaces.create({ name: `Space ${number}` })
  const room = rooms.find(({ type }) => type === RoomType.Text)
  if (room === undefined) throw new Error('a new space has no text room')
  return {
    client,
    userId: login.user.id,
    accessToken: login.access_token,
    sessionToken: login.session_token ?? '',
    spaceId: space.id,
    roomId: room.id,
  }
}
