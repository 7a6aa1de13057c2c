import type { Participant } from '../load/lean.ts'
import { placesWithEcho, type RunningPeer } from './peer.ts'

export const PASSWORD = 'correct-horse-battery-staple'

const DOMAIN = 'localhost'
const SERVICE = `conference.${DOMAIN}`

export function userName(number: number): string {
  return `person${number}`
}

/**
 * Chats in multi-user rooms, with an account per connection.
 * @param register makes the accounts numbered from `from` up to, but not including, `to`
 */
export function xmppRooms(
  register: (from: number, to: number) => Promise<void>,
): Pick<RunningPeer, 'chat' | 'idle'> {
  let registered = 0
  let chats = 0
  const registerUpTo = async (count: number) => {
    if (registered < count) await register(registered, count)
    registered = Math.max(registered, count)
  }
  return {
    chat: async (shape) => {
      chats += 1
      const places = placesWithEcho(shape)
      await registerUpTo(places.length)
      return places.map(({ number, role, room }) => ({
        ...connectionOf(number, `chat${chats}-${room}@${SERVICE}`),
        role,
        room,
      }))
    },
    idle: async (count) => {
      await registerUpTo(count)
      return Array.from({ length: count }, (_, number) => connectionOf(number))
    },
  }
}

function connectionOf(number: number, ...room: string[]): Participant {
  return {
    protocol: 'xmpp',
    role: 'listen',
    room: 0,
    arguments: [DOMAIN, userName(number), PASSWORD, ...room],
  }
}
