import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { AnnouncementFeed, FeedMessage } from '@foyer/protocol/announcement-feed'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { type HttpTarget, startTarget } from '../outside/http-target.ts'
import { until } from '../until.ts'
import { makeAnnouncementRoom } from './announcements.ts'
import type { Person } from './people.ts'

/** Makes a room that other rooms can follow and that people without an account can read. */
export async function openAnnouncementRoom(owner: Person, spaceId: string): Promise<string> {
  const room = await makeAnnouncementRoom(owner, spaceId)
  await owner.client.api(WebRooms).open(room)
  return room
}

/** Reads the feeds of a room, and sends requests about them to the hub. */
export class RoomFeed {
  readonly origin: string
  readonly path: string

  constructor(server: { url: string }, spaceId: string, roomId: string) {
    this.origin = server.url
    this.path = `/read/${spaceId}/${roomId}`
  }

  get url(): string {
    return `${this.origin}${this.path}/announcements.json`
  }

  get atomUrl(): string {
    return `${this.origin}${this.path}/feed.atom`
  }

  async read(after?: number): Promise<AnnouncementFeed> {
    const answer = await fetch(`${this.url}${after === undefined ? '' : `?after=${after}`}`)
    assert.equal(answer.status, 200)
    return JSON.parse(await answer.text())
  }

  /** Polls the feed until it has `count` messages after a position, and returns them. */
  async untilLogged(after: number, count: number): Promise<FeedMessage[]> {
    let messages: FeedMessage[] = []
    const isSo = async () => {
      messages = (await this.read(after)).messages ?? []
      return messages.length >= count
    }
    await until(isSo, `${count} messages were never logged`)
    return messages
  }

  /** Waits until the latest state of a message has this text. With undefined, waits until the message is gone. */
  async untilText(id: string, content: string | undefined): Promise<void> {
    const isSo = async () => {
      const found = (await this.read(0)).messages?.find((message) => message.id === id)
      return found !== undefined && (found.state === 'gone' ? undefined : found.content) === content
    }
    await until(isSo, `the message was never ${content ?? 'gone'}`)
  }

  /** Sends a request to the hub, and returns the status of the answer. */
  async ask(callback: string, fields: Record<string, string> = {}): Promise<number> {
    const form = { 'hub.mode': 'subscribe', 'hub.topic': this.url, 'hub.callback': callback, ...fields }
    const answer = await fetch(`${this.origin}/read/hub`, { method: 'POST', body: new URLSearchParams(form) })
    const isText = answer.headers.get('content-type')?.startsWith('text/plain') === true
    assert.ok(isText && (await answer.text()).length > 0)
    return answer.status
  }
}

export interface ReceivedPush {
  readonly path: string
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** A WebSub subscriber of feeds. It confirms the hub's requests, and keeps the pushes that it receives. */
export class Subscriber {
  readonly pushes: ReceivedPush[] = []
  /** Parameters of the hub's verification requests. */
  readonly questions: URLSearchParams[] = []
  /** Status of the answers to pushes; undefined to never answer. */
  status: number | undefined = 200
  confirms = true
  #target: HttpTarget | undefined

  async start(): Promise<this> {
    this.#target = await startTarget(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://subscriber')
      if (request.method === 'GET') {
        this.questions.push(url.searchParams)
        const challenge = url.searchParams.get('hub.challenge') ?? ''
        response.end(this.confirms ? challenge : 'no')
        return
      }
      const body = await text(request)
      this.pushes.push({ path: url.pathname, headers: request.headers, body })
      if (this.status === undefined) return
      response.writeHead(this.status, this.status === 302 ? { location: '/elsewhere' } : {}).end()
    })
    return this
  }

  /** @param name path of the callback, for a subscriber with several callbacks */
  callback(name = 'callback', host = '127.0.0.1'): string {
    return `http://${host}:${this.#target?.port}/${name}`
  }

  /** Waits until `count` pushes have arrived at the callback. */
  async untilPushed(count: number, name = 'callback'): Promise<ReceivedPush[]> {
    const arrived = () => this.pushes.filter(({ path }) => path === `/${name}`)
    await until(async () => arrived().length >= count, `there were never ${count} pushes to ${name}`)
    return arrived()
  }

  async close(): Promise<void> {
    await this.#target?.close()
  }
}

export function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
