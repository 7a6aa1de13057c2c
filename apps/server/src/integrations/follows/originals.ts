import { EmbedType } from '@foyer/protocol/embeds'
import { limits } from '@foyer/protocol/limits'
import { MessageFlag } from '@foyer/protocol/messages'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { Edit } from '#src/messages/change-queries.ts'
import { isAuthored, type MessageRow, messageColumns } from '#src/messages/rows.ts'
import { linkButtonsOf } from '../webhooks/link-buttons.ts'
import type { Source } from './queries.ts'

/** An announcement to copy. */
export interface Original {
  source: Source
  row: MessageRow
  files: readonly FileRow[]
}

/** An announcement as it is now. `unfit`: a message that is not copied. */
export type Found = Original | 'deleted' | 'unfit'

/** Returns the current state of messages, by id. */
export async function findOriginals(
  database: Queryable,
  source: Source,
  ids: readonly string[],
): Promise<Map<string, Found>> {
  const rows = await database.query<MessageRow>(sql`
    select ${messageColumns} from messages
    where tenant_id = ${source.spaceId} and channel_id = ${source.roomId} and id = any(${ids}::uuid[])`)
  const holders = rows.filter((row) => row.has_files).map(({ id }) => id)
  const files = holders.length === 0 ? [] : await listMessageFiles(database, source.spaceId, holders)
  const filesOf = Map.groupBy(files, ({ message_id }) => message_id)
  const found = new Map<string, Found>(ids.map((id) => [id, 'deleted']))
  for (const row of rows)
    found.set(row.id, isFit(row) ? { source, row, files: filesOf.get(row.id) ?? [] } : 'unfit')
  return found
}

/** Returns true for a message to copy. Copies are not copied again, and a bot's deferred answer only once it has content. */
function isFit(row: MessageRow): boolean {
  return isAuthored(row) && row.copy_of === null && (row.flags & MessageFlag.Loading) === 0
}

const KEPT_FLAGS = MessageFlag.SuppressEmbeds | MessageFlag.SuppressNotifications

/** The parts of a copy that are updated when the original is edited. */
export type CopiedParts = Pick<Edit, 'content' | 'flags' | 'embeds' | 'components'>

/** Returns the parts of a copy. Files that could not be copied are named below the text. */
export function copiedParts(
  row: Pick<MessageRow, 'content' | 'flags' | 'embeds' | 'components'>,
  leftOut: readonly string[],
): CopiedParts {
  const lines = leftOut.map((name) => `📎 ${name}`)
  const content = [row.content, ...lines].filter((part) => part !== '').join('\n')
  return {
    content: content.length <= limits.messageMax ? content : row.content,
    flags: row.flags & KEPT_FLAGS,
    embeds: (row.embeds ?? []).filter(({ type }) => type === EmbedType.Rich),
    components: linkButtonsOf(row.components ?? []),
  }
}
