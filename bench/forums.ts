// Measures a forum with 100,000 posts and a million messages: similar titles, and pages of posts.
import { RoomType } from '@foyer/protocol/rooms'
import type { SimilarThreads, ThreadPage } from '@foyer/protocol/thread-rooms'
import { wordsOf } from '@foyer/protocol/words'
import type { Database } from '../apps/server/src/kernel/database/database.ts'
import { newId } from '../apps/server/src/kernel/ids.ts'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { getRequest, HttpConnection } from './load/http-connection.ts'
import { percentile } from './load/latencies.ts'
import { withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const MAX_SIMILAR_P95_MS = 100
const MAX_PAGE_P95_MS = 100
const MESSAGES_PER_POST = 10
const POSTS_AT_ONCE = 2000
/** Number of different rare words in titles. There are fewer different common words. */
const WORDS = 2000

const options = readOptions(
  { posts: 100_000, rounds: 600, warmup: 50 },
  { posts: 400, rounds: 10, warmup: 1 },
)
const { posts, rounds, warmup } = options.numbers
const figures = await withFoyer(options, measure)
const slow = {
  'similar titles': figures.similar_p95_ms > MAX_SIMILAR_P95_MS,
  'pages of posts': figures.page_p95_ms > MAX_PAGE_P95_MS,
}
report({
  ...options,
  name: 'forums',
  problems: Object.entries(slow).flatMap(([what, is]) => (is && !options.isSmoke ? [`slow: ${what}`] : [])),
  figures: { posts, messages: posts * MESSAGES_PER_POST, ...figures },
})

async function measure(foyer: Foyer) {
  const [host] = await signUp(foyer.port, 1)
  if (host === undefined) throw new Error('an account is needed')
  const { client, spaceId } = host
  const { id: roomId } = await client.rooms.create(spaceId, { name: 'forum', type: RoomType.Forum })
  const tags = [{ name: 'Common' }, { name: 'Rare' }]
  const { forum } = await client.rooms.update(spaceId, roomId, { forum: { tags } })
  const [common = '', rare = ''] = forum?.tags.map(({ id }) => id) ?? []
  await withDatabase(foyer, async (database) => {
    for (let from = 1; from <= posts; from += POSTS_AT_ONCE)
      await insertPosts(database, { ...host, roomId, common, rare }, from)
    await database.execute(sql`analyze thread_rooms, posts, post_words, message_heads, messages`)
  })
  const similar = await measureSimilar(foyer, host, roomId)
  return { ...similar, ...(await measurePages(foyer, host, roomId, [common, rare])) }
}

/** A title of eight words: some that many posts share, and a rare one. */
function titleOf(number: number): string {
  const word = (index: number) => `word${Math.floor((number * (index + 7)) % (WORDS / 2 ** index) || 1)}`
  const common = ['how', 'do', 'I', number % 2 === 0 ? 'fix' : 'change', number % 4 === 0 ? 'the' : 'my']
  return [...common, word(0), word(2), word(4)].join(' ')
}

interface Filled extends Account {
  common: string
  rare: string
}

async function insertPosts(
  database: Database,
  { spaceId, roomId, userId, common, rare }: Filled,
  from: number,
): Promise<void> {
  const numbers = Array.from(
    { length: Math.min(POSTS_AT_ONCE, posts - from + 1) },
    (_, index) => from + index,
  )
  const titles = numbers.map(titleOf)
  const ids = numbers.map(() => newId())
  await database.execute(sql`
    with thread as (
      insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, is_closed, message_count, active_at)
      select ${spaceId}, post.id, ${roomId}, title, ${userId}, 4320, number % 10 = 0, ${MESSAGES_PER_POST},
        now() - make_interval(mins => number)
      from unnest(${ids}::uuid[], ${numbers}::integer[], ${titles}::text[]) as post (id, number, title)
      returning id, active_at, title
    ),
    head as (
      insert into message_heads (tenant_id, channel_id, last_seq)
      select ${spaceId}, id, ${MESSAGES_PER_POST} from thread
    ),
    post as (
      insert into posts (space_id, id, room_id, created_at, tag_ids)
      select ${spaceId}, id, ${roomId}, active_at, case
        when extract(minute from active_at) < 30 then array[${common}::uuid]
        when extract(minute from active_at) = 30 and random() < 0.1 then array[${rare}::uuid] else '{}' end
      from thread
    )
    insert into messages (tenant_id, channel_id, parent_id, id, seq, author_id, content, created_at)
    select ${spaceId}, id, ${roomId}, gen_random_uuid(), seq, ${userId}, 'Message of a post, of some length.', now()
    from thread, generate_series(1, ${MESSAGES_PER_POST}::integer) as seq`)
  const words = titles.flatMap((title, index) => wordsOf(title).map((word) => ({ id: ids[index], word })))
  await database.execute(sql`
    insert into post_words (space_id, room_id, word, post_id)
    select ${spaceId}, ${roomId}, word, id
    from unnest(${words.map(({ id }) => id)}::uuid[], ${words.map(({ word }) => word)}::text[]) as asked (id, word)`)
}

/** Searches for posts similar to the titles of random posts, with one more word in each title. */
async function measureSimilar({ port }: Foyer, host: Account, roomId: string) {
  const connection = new HttpConnection(port)
  const latencies: number[] = []
  let found = 0
  for (let round = -warmup; round < rounds; round += 1) {
    const title = encodeURIComponent(`${titleOf(Math.ceil(Math.random() * posts))} please`)
    const startedAt = performance.now()
    const body = await connection.send(getRequest(host, `/api/rooms/${roomId}/similar?title=${title}`))
    if (round < 0) continue
    latencies.push(performance.now() - startedAt)
    const similar: SimilarThreads = JSON.parse(body)
    found += similar.threads.length
  }
  connection.close()
  if (found < rounds) throw new Error('titles have no similar ones')
  return { similar_p50_ms: percentile(latencies, 0.5), similar_p95_ms: percentile(latencies, 0.95) }
}

/** Reads pages in both orders, filtered by tag, answer or state, from random positions in the list. */
async function measurePages({ port }: Foyer, host: Account, roomId: string, tags: readonly string[]) {
  const connection = new HttpConnection(port)
  const filters = ['', ...tags.map((tag) => `&tag=${tag}`), '&solved=false', '&solved=true', '&state=closed']
  const latencies: number[] = []
  let listed = 0
  for (let round = -warmup; round < rounds; round += 1) {
    const sort = round % 2 === 0 ? 'activity' : 'created'
    const filter = filters[Math.abs(round) % filters.length] ?? ''
    const before = `${Date.now() - Math.floor(Math.random() * posts) * 60_000}_${roomId}`
    const startedAt = performance.now()
    const path = `/api/rooms/${roomId}/threads?sort=${sort}${filter}&before=${before}`
    const body = await connection.send(getRequest(host, path))
    if (round < 0) continue
    latencies.push(performance.now() - startedAt)
    const page: ThreadPage = JSON.parse(body)
    listed += page.threads.length
  }
  connection.close()
  if (listed === 0) throw new Error('no page has a post')
  return { page_p50_ms: percentile(latencies, 0.5), page_p95_ms: percentile(latencies, 0.95) }
}
