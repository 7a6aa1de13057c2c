import { LEAST_ID } from '@foyer/protocol/ids'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type {
  ListReportsQuery,
  OwnReport,
  Report,
  ReportCopy,
  ReportedMessage,
  ReportNote,
} from '@foyer/protocol/reports'
import { ApiError } from '#src/kernel/errors.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { findUsers } from '#src/people/users/queries.ts'

/** A copy of the reported target, without its files. */
export type StoredCopy = Omit<ReportCopy, 'messages'> & {
  readonly messages: readonly Omit<ReportedMessage, 'attachments'>[]
}

export interface ReportRow extends OwnReport, Pick<Report, 'user_id' | 'assignee_id' | 'closed_by'> {
  /** The space whose moderators decide, or `OPERATORS_QUEUE`. */
  readonly queue_id: string
  readonly reporter_id: string
  /** The channel of a reported message; null for other targets. */
  readonly tenant_id: string | null
  readonly channel_id: string | null
  /** The room, if the channel is a thread. */
  readonly parent_id: string | null
  readonly copy: StoredCopy
  readonly file_ids: string[]
}

/** The queue of reports that operators decide. */
export const OPERATORS_QUEUE = LEAST_ID

/** The reports that a moderator or the operators handle, limited to those the caller may see. */
export interface Queue {
  /** Null for operators. */
  readonly spaceId: string | null
  readonly callerId: string
  /** Rooms of the space that the caller may view. Null for operators and for administrators, who also see deleted rooms. */
  readonly roomIds: readonly string[] | null
}

const ownColumns = fragment`
  reports.id, target_type, target_id, reason, text, state, result, answer, created_at, closed_at,
  coalesce(case target_type
    when 'message' then (
      select left(message ->> 'content', 100) from json_array_elements(copy -> 'messages') as message
      where message ->> 'id' = target_id::text)
    when 'user' then copy -> 'user' ->> 'username'
    else copy -> 'space' ->> 'name'
  end, '') as about`
const otherColumns = fragment`
  reports.queue_id, user_id, assignee_id, closed_by, reporter_id, tenant_id, channel_id, parent_id, copy, file_ids`

/** Condition for statements with `queue`. Reports about the viewer are excluded. */
const isSeen = fragment`
  reports.queue_id = queue.id and user_id is distinct from queue.caller_id
  and (channel_id is null or queue.room_ids is null or coalesce(parent_id, channel_id) = any(queue.room_ids))`

export type NewReport = Pick<
  ReportRow,
  | 'id'
  | 'queue_id'
  | 'reporter_id'
  | 'target_type'
  | 'target_id'
  | 'tenant_id'
  | 'channel_id'
  | 'parent_id'
  | 'user_id'
  | 'reason'
  | 'text'
  | 'copy'
  | 'file_ids'
>

/** @returns undefined if the reporter has an undecided report of the same target */
export async function insertReport(
  transaction: Queryable,
  report: NewReport,
): Promise<OwnReport | undefined> {
  const [inserted] = await transaction.query<OwnReport>(sql`
    insert into reports (id, queue_id, reporter_id, target_type, target_id, tenant_id, channel_id, parent_id, user_id, reason, text,
      copy, file_ids)
    values (${report.id}, ${report.queue_id}, ${report.reporter_id}, ${report.target_type}, ${report.target_id},
      ${report.tenant_id}, ${report.channel_id}, ${report.parent_id}, ${report.user_id}, ${report.reason}, ${report.text},
      ${JSON.stringify(report.copy)}, ${report.file_ids})
    on conflict (target_id, reporter_id) where state <> 'closed' do nothing
    returning ${ownColumns}`)
  return inserted
}

/** Returns true if the reporter has an undecided report of the same target. */
export async function hasReported(
  database: Queryable,
  targetId: string,
  reporterId: string,
): Promise<boolean> {
  const found = await database.query(sql`
    select from reports where target_id = ${targetId} and reporter_id = ${reporterId} and state <> 'closed'`)
  return found.length > 0
}

/** Lists a user's own reports, newest first. */
export async function listOwnReports(database: Queryable, userId: string): Promise<OwnReport[]> {
  return database.query<OwnReport>(sql`
    select ${ownColumns} from reports where reporter_id = ${userId} order by id desc limit ${MAX_PAGE}`)
}

/**
 * Lists a page of the queue: undecided reports oldest first, closed reports newest first.
 * @throws ApiError 404 if the closed report before the page has been reopened or deleted
 */
export async function listReportRows(
  database: Queryable,
  queue: Queue,
  query: ListReportsQuery,
): Promise<ReportRow[]> {
  const { closed = false, assignee_id, user_id, after, limit = MAX_PAGE } = query
  if (closed) return listClosedRows(database, queue, query)
  return database.query<ReportRow>(sql`
    with queue as (
      select ${idOf(queue)}::uuid as id, ${queue.callerId}::uuid as caller_id, ${queue.roomIds}::uuid[] as room_ids)
    select ${ownColumns}, ${otherColumns} from reports, queue
    where ${isSeen} and state <> 'closed' and reports.id > ${after ?? LEAST_ID}
      and (${assignee_id}::uuid is null or assignee_id = ${assignee_id}::uuid)
      and (${user_id}::uuid is null or user_id = ${user_id}::uuid)
    order by reports.id limit ${limit}`)
}

async function listClosedRows(
  database: Queryable,
  queue: Queue,
  { assignee_id, user_id, after, limit = MAX_PAGE }: ListReportsQuery,
): Promise<ReportRow[]> {
  const last = after === undefined ? undefined : await findReportRow(database, queue, after)
  if (after !== undefined && last?.state !== 'closed') throw new ApiError('unknown_report')
  return database.query<ReportRow>(sql`
    with queue as (
      select ${idOf(queue)}::uuid as id, ${queue.callerId}::uuid as caller_id, ${queue.roomIds}::uuid[] as room_ids)
    select ${ownColumns}, ${otherColumns} from reports, queue
    where ${isSeen} and state = 'closed'
      and (${assignee_id}::uuid is null or assignee_id = ${assignee_id}::uuid)
      and (${user_id}::uuid is null or user_id = ${user_id}::uuid)
      and (${last?.closed_at}::timestamptz is null or (closed_at, reports.id) <
        (${last?.closed_at}::timestamptz, ${last?.id}::uuid))
    order by closed_at desc, reports.id desc limit ${limit}`)
}

function idOf({ spaceId }: Queue): string {
  return spaceId ?? OPERATORS_QUEUE
}

export async function findReportRow(
  database: Queryable,
  queue: Queue,
  id: string,
): Promise<ReportRow | undefined> {
  const [row] = await database.query<ReportRow>(sql`
    with queue as (
      select ${idOf(queue)}::uuid as id, ${queue.callerId}::uuid as caller_id, ${queue.roomIds}::uuid[] as room_ids)
    select ${ownColumns}, ${otherColumns} from reports, queue where reports.id = ${id} and ${isSeen}`)
  return row
}

/**
 * Returns and locks the report, optionally with the other undecided reports of the same target. They are locked in the
 * order of their ids until the transaction ends, so that two simultaneous decisions do not deadlock.
 */
export async function lockReportRows(
  transaction: Queryable,
  queue: Queue,
  { id, withSimilar }: { id: string; withSimilar: boolean },
): Promise<ReportRow[]> {
  return transaction.query<ReportRow>(sql`
    with queue as (
      select ${idOf(queue)}::uuid as id, ${queue.callerId}::uuid as caller_id, ${queue.roomIds}::uuid[] as room_ids)
    select ${ownColumns}, ${otherColumns} from reports, queue
    where ${isSeen} and (reports.id = ${id} or ${withSimilar} and state <> 'closed'
      and target_id = (select target_id from reports as named where named.id = ${id}))
    order by reports.id for update of reports`)
}

export type Decision = Pick<ReportRow, 'state' | 'assignee_id' | 'result' | 'answer' | 'closed_by'>

/** @throws ApiError 409 when reopening a report, if its reporter has another undecided report of the same target */
export async function saveDecision(
  transaction: Queryable,
  ids: readonly string[],
  { state, assignee_id, result, answer, closed_by }: Decision,
): Promise<ReportRow[]> {
  try {
    return await transaction.query<ReportRow>(sql`
      update reports set state = ${state},
        assignee_id = case when ${state} = 'closed' then assignee_id else ${assignee_id}::uuid end, result = ${result}, answer = ${answer},
        closed_by = ${closed_by}, closed_at = case when ${state} = 'closed' then now() end
      where id = any(${ids})
      returning ${ownColumns}, ${otherColumns}`)
  } catch (error) {
    throw isUniqueViolation(error, 'reports_undecided') ? new ApiError('reported_again') : error
  }
}

/** Counts the queue's undecided reports of each target. */
export async function countUndecided(
  database: Queryable,
  queue: Queue,
  targetIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database.query<{ target_id: string; count: number }>(sql`
    with queue as (
      select ${idOf(queue)}::uuid as id, ${queue.callerId}::uuid as caller_id, ${queue.roomIds}::uuid[] as room_ids)
    select target_id, count(*)::integer as count from reports, queue
    where target_id = any(${targetIds}) and state <> 'closed' and ${isSeen}
    group by target_id`)
  return new Map(rows.map(({ target_id, count }) => [target_id, count]))
}

export async function insertNote(
  transaction: Queryable,
  note: { id: string; reportId: string; authorId: string; text: string },
): Promise<void> {
  await transaction.query(sql`
    insert into report_notes (id, report_id, author_id, text)
    values (${note.id}, ${note.reportId}, ${note.authorId}, ${note.text})`)
}

/** Lists the moderators' notes about a report, oldest first. */
export async function listNotes(database: Queryable, reportId: string): Promise<ReportNote[]> {
  const rows = await database.query<Omit<ReportNote, 'author'> & { author_id: string }>(sql`
    select id, report_id, author_id, text, created_at from report_notes
    where report_id = ${reportId} order by id limit ${MAX_NOTES}`)
  const authors = await findUsers(database, [...new Set(rows.map(({ author_id }) => author_id))])
  const byId = new Map(authors.map((author) => [author.id, author]))
  return rows.flatMap(({ author_id, ...note }) => {
    const author = byId.get(author_id)
    return author === undefined ? [] : [{ ...note, author }]
  })
}

export const MAX_NOTES = 200

export async function countNotes(transaction: Queryable, reportId: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(
    sql`select count(*)::integer as count from report_notes where report_id = ${reportId}`,
  )
  return row?.count ?? 0
}
