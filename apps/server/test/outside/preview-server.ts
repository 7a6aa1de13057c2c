import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Person } from '../scenes/people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { type HttpTarget, startTarget } from './http-target.ts'

const MAX_WAIT_MS = 30_000
const POLL_MS = 50

/** A server that looks at links, and a host on loopback that they lead to. */
export interface PreviewServer {
  server: TestServer
  target: HttpTarget
  /** What the host answers from now on. */
  answer(listener: RequestListener): void
  at(path: string): string
  /** The paths that the host was asked for. */
  asked(): string[]
  close(): Promise<void>
}

export async function startPreviewServer(): Promise<PreviewServer> {
  let current: RequestListener = (_request, response) => response.writeHead(404).end()
  const target = await startTarget((request, response) => current(request, response))
  const server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'], linkPreviews: true })
  return {
    server,
    target,
    answer(listener) {
      target.requests.length = 0
      current = listener
    },
    at: (path) => `http://127.0.0.1:${target.port}${path}`,
    asked: () => target.requests.map(({ path }) => path),
    async close() {
      await server.close()
      await target.close()
    },
  }
}

/** What is found once there is something. */
export async function eventually<T>(find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    assert.ok(Date.now() < deadline, 'it never came')
    await delay(POLL_MS)
  }
}

/** The message once it is so; what it is like after half a minute, if it never is. */
export async function messageWhen(
  person: Person,
  channel: ChannelAddress,
  messageId: string,
  isSo: (message: Message) => boolean,
): Promise<Message> {
  const deadline = Date.now() + MAX_WAIT_MS
  let message = await person.client.messages.get(channel, messageId)
  while (!isSo(message) && Date.now() < deadline) {
    await delay(POLL_MS)
    message = await person.client.messages.get(channel, messageId)
  }
  return message
}

/** Waits until no preview is under way or waits for its turn now. */
export async function previewsDone(server: TestServer): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while ((await countDue(server)) > 0) {
    assert.ok(Date.now() < deadline, 'the previews end')
    await delay(POLL_MS)
  }
}

async function countDue(server: TestServer): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>({
    name: 'due previews',
    text: `select count(*) from graphile_worker.jobs where task_identifier = 'preview_links' and run_at <= now()`,
    values: [],
  })
  return row?.count ?? 0
}
