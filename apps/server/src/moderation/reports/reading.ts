import type { Attachment } from '@foyer/protocol/attachments'
import type { Report, ReportedMessage } from '@foyer/protocol/reports'
import type { User } from '@foyer/protocol/users'
import { channelOf, placeOfRow } from '#src/channels/place.ts'
import { attachmentOf, type FileRow } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { listReportFiles } from './file-queries.ts'
import { countUndecided, OPERATORS_QUEUE, type Queue, type ReportRow } from './queries.ts'

export interface ReportReader {
  database: Queryable
  downloads: DownloadSigner
}

/**
 * Turns rows into reports, in their order, with reporters, files, and the number of undecided reports of the same
 * target. Runs one query for each of these, however many rows there are.
 */
export async function completeReports(
  { database, downloads }: ReportReader,
  queue: Queue,
  rows: readonly ReportRow[],
): Promise<Report[]> {
  if (rows.length === 0) return []
  const [users, files, counts] = await Promise.all([
    findUsers(database, [...new Set(rows.map(({ reporter_id }) => reporter_id))]),
    listReportFiles(
      database,
      rows.flatMap(({ file_ids }) => file_ids),
    ),
    countUndecided(database, queue, [...new Set(rows.map(({ target_id }) => target_id))]),
  ])
  const userById = new Map(users.map((user) => [user.id, user]))
  const fileById = new Map(files.map((file) => [file.id, file]))
  const now = Date.now()
  return rows.flatMap((row) => {
    const reporter = userById.get(row.reporter_id)
    const attachments = row.file_ids.flatMap((id) => signed(downloads, fileById.get(id), now))
    const undecided = counts.get(row.target_id) ?? 0
    const similar = row.state === 'closed' ? undecided : Math.max(0, undecided - 1)
    return reporter === undefined ? [] : [reportOf(row, { reporter, attachments, similar })]
  })
}

function reportOf(
  row: ReportRow,
  { reporter, attachments, similar }: { reporter: User; attachments: Attachment[]; similar: number },
): Report {
  const {
    queue_id,
    about: _,
    reporter_id: __,
    tenant_id,
    channel_id,
    parent_id,
    copy,
    file_ids: ___,
    ...shown
  } = row
  const messages = copy.messages.map(
    (message): ReportedMessage => ({
      ...message,
      attachments: message.id === row.target_id ? attachments : [],
    }),
  )
  const place =
    tenant_id === null || channel_id === null
      ? null
      : channelOf(placeOfRow(tenant_id, { channel_id, parent_id }))
  const space_id = queue_id === OPERATORS_QUEUE ? null : queue_id
  return { ...shown, space_id, place, reporter, copy: { ...copy, messages }, similar }
}

function signed(downloads: DownloadSigner, file: FileRow | undefined, now: number): Attachment[] {
  if (file === undefined) return []
  const attachment = attachmentOf(file)
  return [file.state === 'live' ? { ...attachment, url: downloads.urlOf(file.id, now) } : attachment]
}
