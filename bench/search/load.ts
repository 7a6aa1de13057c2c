import pg from 'pg'
import { newId } from '../../apps/server/src/kernel/ids.ts'
import { sql } from '../../apps/server/src/kernel/sql/sql.ts'
import { type IndexRow, upsertWords } from '../../apps/server/src/search/index-queries.ts'
import { queryableOf } from '../../apps/server/src/search/queryable.ts'
import type { Foyer } from '../server/foyer.ts'
import { Corpus, type CorpusMessage } from './corpus.ts'

const BATCH = 2000
const OTHER_SPACES = 10

/**
 * Inserts messages into the tables: the corpus into its space, and as many into other spaces. Creates the index of words
 * at the end, which takes a fraction of the time of updating the index with each message.
 */
export async function load(foyer: Foyer, spaceId: string, corpus: Corpus): Promise<void> {
  const [writer, indexer] = await Promise.all([connect(foyer), connect(foyer)])
  await writer.query('drop index message_words_words')
  await insertAuthors(writer, corpus)
  await loadSpace([writer, indexer], spaceId, corpus)
  for (let index = 0; index < OTHER_SPACES; index += 1) {
    const rooms = Array.from({ length: 10 }, newId)
    const size = Math.ceil(corpus.size / OTHER_SPACES)
    const other = new Corpus(size, rooms, index + 2, corpus.vocabulary)
    await loadSpace([writer, indexer], newId(), other)
  }
  await writer.query("set maintenance_work_mem = '512MB'")
  await writer.query(
    'create index message_words_words on message_words using gin (words) with (fastupdate = off)',
  )
  for (const table of ['messages', 'message_words', 'message_heads', 'search_marks'])
    await writer.query(`vacuum analyze ${table}`)
  await Promise.all([writer.end(), indexer.end()])
}

async function connect(foyer: Foyer): Promise<pg.Client> {
  const options = '-c synchronous_commit=off -c TimeZone=UTC'
  const client = new pg.Client({ host: foyer.postgresSocket, user: 'foyer', database: 'foyer', options })
  await client.connect()
  return client
}

async function insertAuthors(client: pg.Client, { authorIds }: Corpus): Promise<void> {
  await queryableOf(client).query(sql`
    insert into users (id, username) select id, 'author_' || place
    from unnest(${authorIds}::uuid[]) with ordinality as author (id, place)`)
}

async function loadSpace(
  clients: readonly [pg.Client, pg.Client],
  tenantId: string,
  corpus: Corpus,
): Promise<void> {
  const [writer, indexer] = clients.map(queryableOf)
  if (writer === undefined || indexer === undefined) throw new Error('two connections are needed')
  const lastSeq = new Map<string, number>()
  for (let start = 0; start < corpus.size; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, corpus.size - start) }, (_, index) => {
      const message = corpus.message(start + index)
      const seq = (lastSeq.get(message.roomId) ?? 0) + 1
      lastSeq.set(message.roomId, seq)
      return { ...message, seq }
    })
    await Promise.all([
      writer.query(insertMessages(tenantId, rows)),
      upsertWords(
        indexer,
        rows.map((row) => indexRowOf(tenantId, row)),
      ),
    ])
  }
  const [roomIds, seqs] = [[...lastSeq.keys()], [...lastSeq.values()]]
  await writer.query(sql`
    with heads as (
      insert into message_heads (tenant_id, channel_id, last_seq)
      select ${tenantId}, channel_id, seq from unnest(${roomIds}::uuid[], ${seqs}::bigint[]) as room (channel_id, seq)
      on conflict (tenant_id, channel_id) do update set last_seq = excluded.last_seq
    )
    insert into search_marks (tenant_id, channel_id, indexed_seq)
    select ${tenantId}, channel_id, seq from unnest(${roomIds}::uuid[], ${seqs}::bigint[]) as room (channel_id, seq)
    on conflict (tenant_id, channel_id) do update set indexed_seq = excluded.indexed_seq`)
}

type Row = CorpusMessage & { seq: number }

function insertMessages(tenantId: string, rows: readonly Row[]) {
  const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name])
  return sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, pinned, created_at)
    select ${tenantId}, * from unnest(
      ${column('roomId')}::uuid[], ${column('id')}::uuid[], ${column('seq')}::bigint[], ${column('authorId')}::uuid[],
      ${column('content')}::text[], ${column('isPinned')}::boolean[], ${column('createdAt')}::timestamptz[])`
}

function indexRowOf(tenantId: string, row: Row): IndexRow {
  return {
    tenant_id: tenantId,
    channel_id: row.roomId,
    id: row.id,
    seq: row.seq,
    parent_id: null,
    author_id: row.authorId,
    content: row.content,
    pinned: row.isPinned,
    mention_ids: row.mentionIds,
    forwarded: null,
    has_embeds: false,
    has_stickers: false,
    media: row.media,
    created_at: row.createdAt,
  }
}
