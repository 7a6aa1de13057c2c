import type { Participant } from '../load/lean.ts'

/** A chat server, or the part of one that moves messages, as the table compares it with the others. */
export interface Peer {
  name: string
  /** Debian's package with it; undefined: it is always there. */
  debianPackage?: string
  isInstalled: boolean
  /** What a sender knows once a message is acknowledged, and how it learns that. */
  acknowledged: string
  /** Too slow to enter for a thousand people; another one stands for it in the one large room. */
  skipsCrowd?: boolean
  /** Of bench/peers/config; none: the defaults. */
  config: readonly string[]
  /** @param folder an empty one, for all it writes */
  start(folder: string): Promise<RunningPeer>
}

export interface RunningPeer {
  port: number
  /** How many connections are made at once: more where the server looks at new ones once a second. */
  openingAtOnce?: number
  /** Their CPU time and memory are the peer's, with those of all processes below them. */
  processIds: readonly number[]
  /** The connections of a chat, in rooms in which nobody was before. */
  chat(shape: ChatShape): Promise<Participant[]>
  /** Connections that are logged in and hear nothing. */
  idle(count: number): Promise<Participant[]>
  /** Before its memory is read: what it offers for that, if it does. */
  collectGarbage?(): Promise<unknown>
  stop(): Promise<void>
}

export interface ChatShape {
  rooms: number
  /** Who hears the messages, in each room. */
  listeners: number
  /** Spread evenly over the rooms. */
  senders: number
}

export interface Place {
  role: Participant['role']
  room: number
  /** Among all places. */
  number: number
}

/** A room whose server sends people their own messages, too: the senders are some of the listeners. */
export function placesWithEcho({ rooms, listeners, senders }: ChatShape): Place[] {
  return Array.from({ length: rooms * listeners }, (_, number) => {
    const room = Math.floor(number / listeners)
    const sendersHere = Math.floor(senders / rooms) + (room < senders % rooms ? 1 : 0)
    return { number, room, role: number % listeners < sendersHere ? 'both' : 'listen' }
  })
}

/** A room whose server acknowledges messages: the senders are others than the listeners, and hear nothing. */
export function placesWithAcknowledgement({ rooms, listeners, senders }: ChatShape): Place[] {
  return Array.from({ length: rooms * listeners + senders }, (_, number) =>
    number < rooms * listeners
      ? { number, room: Math.floor(number / listeners), role: 'listen' }
      : { number, room: number % rooms, role: 'send' },
  )
}
