import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ShownFeedMessage } from '@foyer/protocol/announcement-feed'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { answerOf, HostileSource } from '#test/scenes/hostile-source.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeDue } from '#test/scenes/remote-follows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'

let installation: Installation
let source: HostileSource

before(async () => {
  installation = await makeInstallation()
  source = await HostileSource.start()
})
after(async () => {
  await source.close()
  await installation.remove()
})

test('FOLLOW-44: a stop while a file is being fetched does not wait for it, and loses no message', async () => {
  const start = () => installation.start({ allowedPrivateHosts: ['127.0.0.1'] })
  const first = await start()
  const reader = await createPerson(first, 'reader')
  const { general } = await makeSpace(reader)
  const path = `/api/rooms/${general}/remote-follows`
  assert.equal((await reader.call('POST', path, { url: source.page })).status, 201)
  const named = { filename: 'slow.txt', content_type: 'text/plain', description: null }
  const file = { ...named, id: crypto.randomUUID(), size: 2 ** 20, url: `${source.origin}/slow` }
  const [slow, next] = [source.shown(11, 'slow', { files: [file] }), source.shown(12, 'next')]
  const after = (position: string | null, messages: ShownFeedMessage[]) =>
    messages.filter(({ number }) => number > Number(position))
  source.respond = (position) => answerOf(source.feedOf(after(position, [slow, next]), 12), position)
  await makeDue(first)
  await until(async () => first.deps.formSpace.used.bytes > 0, 'the file was never fetched')
  await first.close()
  const mended = { ...slow, files: [] }
  source.respond = (position) => answerOf(source.feedOf(after(position, [mended, next]), 12), position)
  await using second = await disposable(start)
  await makeDue(second.server)
  await until(async () => (await textsIn(second.server, general)) === 'slow, next', 'a message was lost')
})

async function textsIn({ deps: { database } }: RunningServer, roomId: string): Promise<string> {
  const rows = await database.query<{ content: string }>(
    sql`select content from messages where channel_id = ${roomId} order by seq`,
  )
  return rows.map(({ content }) => content).join(', ')
}

async function disposable(start: () => Promise<RunningServer>) {
  const server = await start()
  return { server, [Symbol.asyncDispose]: () => server.close() }
}
