import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { type ChildServer, startChildServer } from '#test/processes/child-server.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { listWritten } from '#test/scenes/announcements.ts'
import { persistently, persistentlyDelete } from '#test/scenes/busy.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue, openToEveryone, pageOf, reachable } from '#test/scenes/remote-follows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom } from '#test/scenes/web-feeds.ts'
import { until } from '#test/until.ts'

const KILLS = Number(process.env.REMOTE_KILLS ?? 6)
/** Kept below one page of history. */
const MESSAGES = 80

/** One of the two installations: a server that stays, and a process that serves the others and is killed. */
interface Side {
  installation: Installation
  server: RunningServer
  process: ChildServer
  person: Person
}

let sides: Side[] = []

before(async () => {
  sides = await Promise.all([startSide('author'), startSide('reader')])
})
after(async () => {
  for (const { installation, server, process } of sides) {
    await process.kill()
    await server.close()
    await installation.remove()
  }
})

async function startSide(name: string): Promise<Side> {
  const installation = await makeInstallation()
  const { port, ...rest } = await reachable()
  Object.assign(installation.config, rest)
  const server = await installation.start({ services: ['api', 'gateway'] })
  const child = await startProcess(installation, port)
  return { installation, server, process: child, person: await createPerson(server, name) }
}

function startProcess({ connection, config }: Installation, port = portOf(config.publicUrl)) {
  return startChildServer({ config: { ...config, port }, connection })
}

function portOf(url = ''): number {
  return Number(new URL(url).port)
}

/** Sends, edits and deletes until told to stop. Ends with changes that nothing follows. */
async function load({ client }: Person, news: string, signal: AbortSignal): Promise<void> {
  const ids: string[] = []
  for (let turn = 0; turn < MESSAGES || !signal.aborted; turn += 1) {
    const body = { content: `${turn}`, nonce: `${turn}` }
    if (turn < MESSAGES) ids.push((await persistently(() => client.messages.create(news, body))).id)
    const deleted = turn % 5 === 4 && ids.length > 20 ? ids.shift() : undefined
    if (deleted !== undefined) await persistentlyDelete(() => client.messages.delete(news, deleted))
    const edited = ids[(turn * 7) % ids.length]
    if (edited !== undefined)
      await persistently(() => client.messages.update(news, edited, { content: `${turn} again` }))
    await delay(turn < MESSAGES ? 250 : 150)
  }
}

/** Without the limit of what is copied at once, and the waits after failures, which other tests prove. */
async function liftLimits({ server }: Side): Promise<void> {
  const { database } = server.deps
  await database.execute(sql`update remote_follows set copied_at = '{}', taken_until = null`)
  await makeDue(server)
}

test('FOLLOW-44: kills on both sides neither lose nor double anything', {
  timeout: 120_000 + KILLS * 8000,
}, async () => {
  const [source, follower] = sides
  assert.ok(source !== undefined && follower !== undefined)
  const space = await makeSpace(source.person)
  await openToEveryone(source.server)
  const news = await openAnnouncementRoom(source.person, space.id)
  const { general } = await makeSpace(follower.person)
  const page = pageOf({ url: source.installation.config.publicUrl ?? '' }, space.id, news)
  await follower.person.client.rooms.followRemote(general, page)
  const stop = new AbortController()
  const loading = load(source.person, news, stop.signal)
  for (let kill = 0; kill < KILLS; kill += 1) {
    await delay(400 + ((kill * 617) % 2200))
    const victim = kill % 2 === 0 ? follower : source
    await victim.process.kill()
    victim.process = await startProcess(victim.installation)
    await liftLimits(follower)
  }
  stop.abort()
  await loading
  const texts = async (person: Person, room: string) =>
    (await listWritten(person, room)).map(({ id, copy_of, content }) => [copy_of?.message_id ?? id, content])
  const originals = await texts(source.person, news)
  assert.ok(originals.length > 10)
  let copies: unknown[] = []
  const areSame = async () => {
    await liftLimits(follower)
    await delay(500)
    copies = await texts(follower.person, general)
    return JSON.stringify(copies) === JSON.stringify(originals)
  }
  await until(areSame, 'the copies were never as the originals').catch(() =>
    assert.deepEqual(copies, originals),
  )
})
