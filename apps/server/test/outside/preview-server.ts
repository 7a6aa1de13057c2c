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

/** Server with link previews enabled, and a host on loopback for links to point to. */
export interface PreviewServer {
  server: TestServer
  target: HttpTarget
  /** Replaces the answer of the host, and forgets its earlier requests. */
  answer(listener: RequestListener): void
  at(path: string): string
  /** Returns the paths requested from the host. */
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

/** Waits until there is a result, and returns it. */
export async function eventually<T>(find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    assert.ok(Date.now() < deadline, 'it never came')
    await delay(POLL_MS)
  }
}

/** Waits up to 30 seconds until the message matches, and returns its latest state. */
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

/** Waits until no preview is running or due. */
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
