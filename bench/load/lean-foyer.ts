import type { Account } from './accounts.ts'
import type { Participant } from './lean.ts'

export interface FoyerRooms {
  /** Accounts that own one room each. */
  accounts: readonly Account[]
  /** Gateway connections in each room. */
  listeners: number
  /** Total number of senders, spread evenly over the rooms. */
  senders: number
}

/** Connections of users who chat in the accounts' rooms: listeners use the gateway, senders HTTP. */
export function foyerParticipants({ accounts, listeners, senders }: FoyerRooms): Participant[] {
  const listening = accounts.flatMap((account, room) =>
    Array.from({ length: listeners }, () => listenerOf(account, room)),
  )
  const places = Array.from({ length: senders }, (_, index) => index % accounts.length)
  return [...listening, ...places.flatMap((room) => senderIn(accounts[room], room))]
}

/** Gateway connections without events, shared out among the accounts. */
export function foyerIdle(accounts: readonly Account[], count: number): Participant[] {
  return Array.from({ length: count }, (_, index) => accounts[index % accounts.length]).flatMap((account) =>
    account === undefined ? [] : [listenerOf(account, 0)],
  )
}

function listenerOf({ accessToken, sessionToken }: Account, room: number): Participant {
  return { protocol: 'gateway', role: 'listen', room, arguments: [accessToken, sessionToken] }
}

function senderIn(account: Account | undefined, room: number): Participant[] {
  if (account === undefined) return []
  const { roomId, accessToken, sessionToken } = account
  return [{ protocol: 'http', role: 'send', room, arguments: [roomId, accessToken, sessionToken] }]
}
