import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Client } from '@foyer/sdk/client'
import pg from 'pg'
import type { Channel } from '../world/tenant.ts'

/** A row of the messages table. */
export interface StoredMessage {
  channelId: string
  id: string
  seq: number
  authorId: string
  content: string
}

/** Messages and reactions as PostgreSQL stores them after a run. */
export interface Stored {
  /** By channel, in the order of seq. */
  messages: ReadonlyMap<string, readonly StoredMessage[]>
  byId: ReadonlyMap<string, StoredMessage>
  /** By message, as `emoji user`. */
  reactions: ReadonlyMap<string, ReadonlySet<string>>
  /** By channel: the seq of the newest message ever sent. */
  lastSeqs: ReadonlyMap<string, number>
  /** Jobs that failed and used up their attempts. */
  failedJobs: number
}

interface Row {
  channel_id: string
  id: string
  seq: string
  author_id: string
  content: string
}

const PAGE = 100
const DEFAULT_MESSAGE = 0

/** @param without ids of channels to leave out */
export async function readStored(
  connection: pg.ClientConfig,
  without: readonly string[] = [],
): Promise<Stored> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<Row>(
      `select channel_id, id, seq, author_id, content from messages where channel_id <> all($1)
      order by channel_id, seq`,
      [without],
    )
    const reactions = await client.query<{ message_id: string; emoji: string; user_id: string }>(
      'select message_id, emoji, user_id from reactions',
    )
    const heads = await client.query<{ channel_id: string; last_seq: string }>(
      'select channel_id, last_seq from message_heads where channel_id <> all($1)',
      [without],
    )
    const jobs = await client.query<{ count: string }>(
      // A job that was replaced while it ran has no attempts left either, but it has no error.
      'select count(*) from graphile_worker.jobs where attempts >= max_attempts and last_error is not null',
    )
    const messages = rows.map(messageOf)
    return {
      messages: Map.groupBy(messages, ({ channelId }) => channelId),
      byId: new Map(messages.map((message) => [message.id, message])),
      reactions: setsOf(reactions.rows.map((row) => [row.message_id, `${row.emoji} ${row.user_id}`])),
      lastSeqs: new Map(heads.rows.map((row) => [row.channel_id, Number(row.last_seq)])),
      failedJobs: Number(jobs.rows[0]?.count),
    }
  } finally {
    await client.end()
  }
}

/** Reads a channel's history through the API, page by page, in the order of seq. */
export async function readHistory(client: Client, { id, address }: Channel): Promise<StoredMessage[]> {
  return (await readAll(client, address)).map((message) => toStored(message, id))
}

/** Reads all messages of a channel without system messages, page by page, in the order of seq. */
export async function readAll(client: Client, address: ChannelAddress): Promise<Message[]> {
  const pages: Message[][] = []
  let before: string | undefined
  for (;;) {
    const page = await client.messages.list(
      address,
      before === undefined ? { limit: PAGE } : { limit: PAGE, before },
    )
    pages.push(page.filter(isOrdinary))
    before = page.at(-1)?.id
    if (page.length < PAGE) return pages.flat().reverse()
  }
}

function isOrdinary({ type }: Message): boolean {
  return type === DEFAULT_MESSAGE
}

function toStored({ id, seq, author, content }: Message, channelId: string): StoredMessage {
  return { channelId, id, seq, authorId: author.id, content }
}

function messageOf(row: Row): StoredMessage {
  return {
    channelId: row.channel_id,
    id: row.id,
    seq: Number(row.seq),
    authorId: row.author_id,
    content: row.content,
  }
}

function setsOf(pairs: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const sets = new Map<string, Set<string>>()
  for (const [key, value] of pairs) {
    const set = sets.get(key) ?? new Set()
    sets.set(key, set.add(value))
  }
  return sets
}
