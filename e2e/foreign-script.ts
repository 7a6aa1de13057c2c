import { Client } from '@foyer/sdk/client'
import { ApiError } from '@foyer/sdk/rest'
import { uploadFile } from '@foyer/sdk/uploads'

export interface ForeignRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  credentials?: 'include'
}

/** A script for a page of another origin. It uses the SDK, and sends requests that try to use the server's cookies. */
export interface ForeignScript {
  /** Signs up, uploads and posts a file, and downloads it through a redirect and through the server (`stream=1`). */
  useSdk(baseUrl: string): Promise<{ content: string; downloads: string[] }>
  /** Returns the parts of an error response that the page can read. */
  readRefusal(baseUrl: string): Promise<{ code: string | null; remaining: string | null }>
  /** Returns the status of the response, or `unreadable` if the browser withholds it from the page. */
  ask(url: string, request?: ForeignRequest): Promise<number | 'unreadable'>
}

const script: ForeignScript = {
  async useSdk(baseUrl) {
    const client = new Client({ baseUrl })
    await client.auth.signin({ username: 'ada', email: 'ada@example.org', password: 'correct horse battery' })
    const { space, rooms } = await client.spaces.create({ name: 'Sunday hikers' })
    await client.buckets.createIncluded(space.id)
    const [room] = rooms.filter(({ name }) => name === 'general')
    if (room === undefined) throw new Error('the space has no room')
    const file = new File(['what the file holds'], 'notes.txt', { type: 'text/plain' })
    const id = await uploadFile(client, room.id, file)
    const message = await client.messages.create(room.id, { content: 'hello', attachment_ids: [id] })
    const address = client.addressOf(message.attachments[0]?.url ?? '')
    const downloads = [
      await (await fetch(address)).text(),
      await (
        await fetch(`${address}&stream=1`, { headers: { range: 'bytes=5-7', 'if-range': '"x"' } })
      ).text(),
    ]
    await client.messages.update(room.id, message.id, { content: 'hello there' })
    const [last] = await client.messages.list(room.id)
    return { content: last?.content ?? '', downloads }
  },

  async readRefusal(baseUrl) {
    const client = new Client({ baseUrl })
    const login = client.auth.login({ email: 'nobody@example.org', password: 'wrong horse battery' })
    const error: unknown = await login.catch((caught) => caught)
    const answer = await fetch(`${baseUrl}/api/auth/login`, { method: 'POST' })
    return {
      code: error instanceof ApiError ? error.code : null,
      remaining: answer.headers.get('x-ratelimit-remaining'),
    }
  },

  async ask(url, request) {
    try {
      return (await fetch(url, request)).status
    } catch {
      return 'unreadable'
    }
  },
}

Object.assign(globalThis, { foreign: script })
