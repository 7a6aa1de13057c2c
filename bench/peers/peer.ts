import type { Participant } from '../load/lean.ts'

/** A chat server of the table, or only its part that transports messages. */
export interface Peer {
  name: string
  /** Debian's package; undefined for a peer that needs none. */
  debianPackage?: string
  isInstalled: boolean
  /** Guarantee that an acknowledgement gives, and how the sender receives the acknowledgement. */
  acknowledged: string
  /** True to skip the one large room, because a thousand users take too long to join. Another peer stands in for this one. */
  skipsCrowd?: boolean
  /** Files of bench/peers/config; none for the defaults. */
  config: readonly string[]
  /** @param folder an empty folder for all files of the server */
  start(folder: string): Promise<RunningPeer>
}

export interface RunningPeer {
  port: number
  /** Connections opened in parallel: more for a server that accepts connections only once a second. */
  openingAtOnce?: number
  /** Root processes. Their CPU time and memory, and those of their descendants, count for the peer. */
  processIds: readonly number[]
  /** Returns the connections of a chat, in unused rooms. */
  chat(shape: ChatShape): Promise<Participant[]>
  /** Returns logged-in connections that receive nothing. */
  idle(count: number): Promise<Participant[]>
  /** Collects garbage before memory is read, if the peer offers it. */
  collectGarbage?(): Promise<unknown>
  stop(): Promise<void>
}

export interface ChatShape {
  rooms: number
  /** Listeners per room. */
  listeners: number
  /** Total number of senders, spread evenly over the rooms. */
  senders: number
}

export interface Place {
  role: Participant['role']
  room: number
  /** Unique among all participants. */
  number: number
}

/** Returns roles and rooms for a server that echoes messages to their sender: senders are some of the listeners. */
export function placesWithEcho({ rooms, listeners, senders }: ChatShape): Place[] {
  return Array.from({ length: rooms * listeners }, (_, number) => {
    const room = Math.floor(number / listeners)
    const sendersHere = Math.floor(senders / rooms) + (room < senders % rooms ? 1 : 0)
    return { number, room, role: number % listeners < sendersHere ? 'both' : 'listen' }
  })
}

/** Returns roles and rooms for a server that acknowledges messages: senders are not listeners, and receive no messages. */
export function placesWithAcknowledgement({ rooms, listeners, senders }: ChatShape): Place[] {
  return Array.from({ length: rooms * listeners + senders }, (_, number) =>
    number < rooms * listeners
      ? { number, room: Math.floor(number / listeners), role: 'listen' }
      : { number, room: number % rooms, role: 'send' },
  )
}
