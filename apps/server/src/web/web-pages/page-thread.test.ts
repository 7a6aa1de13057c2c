import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { constants, getPriority } from 'node:os'
import { after, before, type TestContext, test } from 'node:test'
import pino from 'pino'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startWebPages } from '#test/scenes/web-pages.ts'
import type { TestServer } from '#test/server.ts'
import type { PageJob } from './making/jobs.ts'
import { PageThread } from './page-thread.ts'
import { findReadableRoom } from './readable.ts'

let server: TestServer
/** A page that is read from the database. */
let feed: PageJob

before(async () => {
  const scene = await startWebPages()
  server = scene.server
  const { id: spaceId, general } = await makeSpace(scene.owner)
  await scene.owner.call('PUT', `/api/rooms/${general}/web`, {})
  const readable = await findReadableRoom(server.deps, spaceId, general)
  assert.ok(readable)
  feed = { kind: 'feed', readable }
})
after(() => server.close())

const robots: PageJob = { kind: 'robots', isAllowed: true }
const requestOf = (job: PageJob) => ({ job, origin: 'https://chat.example.org', url: '/robots.txt' })

/** Returns a thread whose database cannot be reached. */
function startAlone(context: TestContext, options: { heapMib?: number } = {}): PageThread {
  const connection = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }
  const thread = new PageThread({ connection, log: pino({ level: 'silent' }), ...options })
  context.after(() => thread.close())
  return thread
}

/** Returns the nice values of this process's threads. */
async function niceValues(): Promise<number[]> {
  const ids = await readdir('/proc/self/task')
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8')))
  // The nice value is the 17th after the name, which may contain spaces: proc_pid_stat(5).
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
}

test('WEBPAGE-12: pages are made in a thread with the lowest priority, and nothing else has it', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const thread = startAlone(context)
  const lowest = async () => (await niceValues()).filter((nice) => nice === constants.priority.PRIORITY_LOW)
  const own = getPriority()
  const earlier = (await lowest()).length
  await thread.make(requestOf(robots))
  assert.equal((await lowest()).length, earlier + 1)
  assert.equal(getPriority(), own)
})

test('WEBPAGE-12: a page that needs the database fails without it, and others are made', async (context) => {
  const thread = startAlone(context)
  await assert.rejects(thread.make(requestOf(feed)), { code: 'ECONNREFUSED' })
  assert.ok(await thread.make(requestOf(robots)))
})

test('WEBPAGE-12: after a thread has ended, the next page is made in another one', async (context) => {
  const thread = startAlone(context, { heapMib: 32 })
  const roomPaths = Array.from({ length: 50_000 }, () => '&'.repeat(500))
  const huge = requestOf({ kind: 'sitemap', content: { roomPaths, spaceIds: [] } })
  await assert.rejects(thread.make(huge), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
  assert.ok(await thread.make(requestOf(robots)))
})

test('WEBPAGE-12: a closed thread makes no page', async (context) => {
  const thread = startAlone(context)
  const making = assert.rejects(thread.make(requestOf(feed)), { code: 'unavailable' })
  await thread.close()
  await making
  await assert.rejects(thread.make(requestOf(robots)), { code: 'unavailable' })
})
