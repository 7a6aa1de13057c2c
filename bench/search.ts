// Measures searches among millions of messages, and checks their results.
import { setTimeout as sleep } from 'node:timers/promises'
import { Permission } from '@foyer/protocol/permissions'
import { type Account, signUp } from './load/accounts.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Cell, cellsOf } from './search/cells.ts'
import { Corpus } from './search/corpus.ts'
import { load } from './search/load.ts'
import { seeded } from './search/vocabulary.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const options = readOptions(
  { messages: 4_000_000, rooms: 60, searches: 100, checks: 20 },
  { messages: 4000, rooms: 20, searches: 2, checks: 2 },
)
const { messages, rooms, searches, checks } = options.numbers
const PAUSE_MS = 2

/** Number of rooms that the restricted member may view: the last rooms, which are the smallest. */
const VISIBLE_ROOMS = 8

const { figures, problems } = await withFoyer(options, measure)
report({ ...options, name: 'search', figures, problems })

async function measure(foyer: Foyer) {
  const [owner, member] = await signUp(foyer.port, 2)
  if (owner === undefined || member === undefined) throw new Error('two accounts are needed')
  const roomIds = await makeRooms(owner)
  const corpus = new Corpus(messages / 2, roomIds, 1)
  const loadedAt = performance.now()
  await load(foyer, owner.spaceId, corpus)
  const loadSeconds = (performance.now() - loadedAt) / 1000
  const hidden = await restrict(owner, member, roomIds)
  const figures: Record<string, number> = {
    messages,
    messages_of_space: corpus.size,
    load_seconds: loadSeconds,
  }
  const problems: string[] = []
  for (const cell of cellsOf(corpus)) {
    const visible = new Set(cell.isRestricted ? roomIds.filter((id) => !hidden.has(id)) : roomIds)
    const { times, wrong } = await measureCell(cell, {
      owner,
      searcher: cell.isRestricted ? member : owner,
      corpus,
      visible,
    })
    figures[`${cell.name}_p50_ms`] = percentile(times, 0.5)
    figures[`${cell.name}_p99_ms`] = percentile(times, 0.99)
    problems.push(...wrong)
    if (!options.isSmoke && percentile(times, 0.99) > cell.goalMs)
      console.log(`  over ${cell.goalMs} ms: ${cell.name}`)
  }
  return { figures, problems }
}

async function makeRooms({ client, spaceId, roomId }: Account): Promise<string[]> {
  const ids = [roomId]
  while (ids.length < rooms)
    ids.push((await client.rooms.create(spaceId, { name: `room ${ids.length}`, type: 1 })).id)
  return ids
}

/** @returns the rooms that the member may not view */
async function restrict(owner: Account, member: Account, roomIds: readonly string[]): Promise<Set<string>> {
  const { code } = await owner.client.invites.create(owner.spaceId, owner.roomId)
  await member.client.invites.join(code)
  const hidden = roomIds.slice(0, -VISIBLE_ROOMS)
  const overwrite = {
    target_id: member.userId,
    target_type: 1,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  }
  for (const id of hidden) await owner.client.overwrites.upsert(owner.spaceId, id, overwrite)
  return new Set(hidden)
}

interface Scene {
  owner: Account
  searcher: Account
  corpus: Corpus
  visible: ReadonlySet<string>
}

async function measureCell(cell: Cell, { owner, searcher, corpus, visible }: Scene) {
  const random = seeded(7)
  const times: number[] = []
  const wrong: string[] = []
  for (let turn = 0; turn < searches; turn += 1) {
    const query = cell.make(random)
    const startedAt = performance.now()
    const found = await searcher.client.search.space(owner.spaceId, query)
    times.push(performance.now() - startedAt)
    const ids = found.messages.map(({ id }) => id)
    const isRight = turn >= checks || ids.join() === corpus.scan(query, visible).join()
    if (!isRight) wrong.push(`${cell.name}: ${JSON.stringify(query)} differs from a scan`)
    await sleep(PAUSE_MS)
  }
  return { times, wrong }
}
