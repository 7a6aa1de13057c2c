import type { PostOpening } from '@foyer/protocol/forums'
import { MAX_OPENING_CHARACTERS } from '@foyer/protocol/limits'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { messageAttachment } from '#src/messages/reading.ts'

interface OpeningRow {
  thread_id: string
  message_id: string
  author_id: string
  content: string
  has_files: boolean
}

interface Deps {
  database: Queryable
  downloads: DownloadSigner
}

/** Returns the first message of each post that still has it. */
export async function findOpenings(
  { database, downloads }: Deps,
  spaceId: string,
  threadIds: readonly string[],
): Promise<Map<string, PostOpening>> {
  const rows = await database.query<OpeningRow>(sql`
    select channel_id as thread_id, messages.id as message_id, author_id,
      left(content, ${MAX_OPENING_CHARACTERS}) as content, has_files
    from posts join messages
      on messages.tenant_id = posts.space_id and channel_id = posts.id and messages.id = opening_message_id
    where posts.space_id = ${spaceId} and posts.id = any(${threadIds}::uuid[])`)
  const holders = rows.filter(({ has_files }) => has_files).map(({ message_id }) => message_id)
  const files = holders.length === 0 ? [] : await listMessageFiles(database, spaceId, holders)
  const pictures = Map.groupBy(files.filter(isShownPicture), ({ message_id }) => message_id)
  const now = Date.now()
  return new Map(
    rows.map(({ thread_id, message_id, author_id, content }) => {
      const picture = pictures.get(message_id)?.[0]
      const attachment = picture === undefined ? null : messageAttachment(picture, downloads, now)
      return [thread_id, { message_id, author_id, content, attachment }]
    }),
  )
}

function isShownPicture({ state, content_type }: FileRow): boolean {
  return state === 'live' && content_type.startsWith('image/')
}
