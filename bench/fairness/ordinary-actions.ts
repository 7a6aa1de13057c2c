import { randomUUID } from 'node:crypto'
import type { Identity } from '../load/crowd.ts'
import { GatewayConnection } from '../load/gateway-connection.ts'
import type { HttpClient } from '../load/http-client.ts'
import { formOf, randomPicture } from '../load/upload.ts'

/** A room without listeners, its owner, and a webhook that posts into it. */
export interface QuietRoom {
  identity: Identity
  spaceId: string
  roomId: string
  webhookPath: string
}

export type ActionKind = 'message' | 'history' | 'search' | 'picture' | 'webhook' | 'join'

/** One kind of ordinary use, at a fixed rate far below the limits. */
export interface Action {
  kind: ActionKind
  /** Actions per second of all people together. */
  perSecond: (people: number) => number
  perform(scene: ActionContext): Promise<Performance>
}

export interface ActionContext {
  people: readonly Identity[]
  roomIds: readonly string[]
  quietRooms: readonly QuietRoom[]
  port: number
  client: HttpClient
  /** Number of the action, from 0. */
  turn: number
}

export interface Performance {
  status: number
  /** Present only for an acknowledged message. */
  seq?: number
}

const picture = formOf([randomPicture(20_000)])
/** Body longer than 64 KiB: shorter ones are exempt from the server's limit for bodies in memory. */
const delivery = JSON.stringify({ zen: 'x'.repeat(120_000), hook_id: 1 })
/** Status that stands for a gateway connection that received READY. */
const JOINED = 101

export const ordinaryActions: readonly Action[] = [
  { kind: 'message', perSecond: (people) => people / 4, perform: sendMessage },
  {
    kind: 'history',
    perSecond: () => 2,
    perform: inQuietRoom(({ roomId }) => ['GET', `/api/rooms/${roomId}/messages?limit=50`]),
  },
  {
    kind: 'search',
    perSecond: () => 1,
    perform: inQuietRoom(({ spaceId }) => ['GET', `/api/spaces/${spaceId}/messages/search?query=number`]),
  },
  { kind: 'picture', perSecond: () => 0.5, perform: sendPicture },
  { kind: 'webhook', perSecond: () => 1, perform: deliver },
  { kind: 'join', perSecond: () => 1, perform: join },
]

async function sendMessage({ people, roomIds, client, turn }: ActionContext): Promise<Performance> {
  const { status, body } = await client.ask({
    method: 'POST',
    path: `/api/rooms/${at(roomIds, turn)}/messages`,
    identity: at(people, turn),
    body: JSON.stringify({
      content: `Message ${turn}: shall we meet at eight tonight?`,
      nonce: randomUUID(),
    }),
  })
  return status === 200 ? { status, seq: Number(/"seq":(\d+)/.exec(body)?.[1]) } : { status }
}

function inQuietRoom(write: (quietRoom: QuietRoom) => [method: string, path: string]): Action['perform'] {
  return async ({ quietRooms, client, turn }) => {
    const quietRoom = at(quietRooms, turn)
    const [method, path] = write(quietRoom)
    return client.ask({ method, path, identity: quietRoom.identity })
  }
}

async function sendPicture({ quietRooms, client, turn }: ActionContext): Promise<Performance> {
  const { roomId, identity } = at(quietRooms, turn)
  return client.ask({ method: 'POST', path: `/api/rooms/${roomId}/messages`, identity, ...picture })
}

async function deliver({ quietRooms, client, turn }: ActionContext): Promise<Performance> {
  const headers = { 'content-type': 'application/json', 'x-github-event': 'ping' }
  return client.ask({ method: 'POST', path: at(quietRooms, turn).webhookPath, headers, body: delivery })
}

async function join({ people, port, turn }: ActionContext): Promise<Performance> {
  const { token, session_token } = at(people, turn)
  try {
    const connection = await GatewayConnection.open(port, { accessToken: token, sessionToken: session_token })
    connection.close()
    return { status: JOINED }
  } catch {
    return { status: 0 }
  }
}

function at<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}
