import type { ExpectedReport, ReportNote, UpdateReportBody } from '@foyer/protocol/reports'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import {
  countNotes,
  type Decision,
  insertNote,
  listNotes,
  lockReportRows,
  MAX_NOTES,
  type Queue,
  type ReportRow,
  saveDecision,
} from '../queries.ts'
import { publishOwnReport, publishReports } from './publishing.ts'

interface Deps {
  database: Database
}

/** The people who decide: moderators or operators. Checks their access again in a transaction, and logs decisions. */
export interface Deciders {
  readonly queue: Queue
  /** @throws ApiError 403 if the caller may no longer decide */
  hold(transaction: Transaction): Promise<{
    readonly queue: Queue
    log(closed: readonly ReportRow[]): Promise<void>
  }>
}

/**
 * Takes, releases, closes or reopens a report. Reporters are notified when it is closed.
 * @throws ApiError 404 for a report that the caller may not see, 400 for closing without a result, 409 for a report
 * that has changed since it was read, and for reopening it if its reporter has reported the target again
 */
export async function updateReport(
  { database }: Deps,
  deciders: Deciders,
  id: string,
  body: UpdateReportBody,
): Promise<ReportRow> {
  const { spaceId, callerId } = deciders.queue
  return database.transactionIn(spaceId ?? callerId, async (transaction) => {
    const { queue, log } = await deciders.hold(transaction)
    const withSimilar = body.state === 'closed' && body.with_similar === true
    const rows = await lockReportRows(transaction, queue, { id, withSimilar })
    const before = rows.find((row) => row.id === id)
    if (before === undefined) throw new ApiError('unknown_report')
    const decision = decisionOf(body, before, callerId)
    const similar = rows.filter((row) => row !== before).map((row) => row.id)
    const changed = isUnchanged(before, decision) ? similar : [id, ...similar]
    if (changed.length === 0) return before
    const saved = await saveDecision(transaction, changed, decision)
    if (body.state === 'closed') {
      for (const row of saved) publishOwnReport(transaction, row)
      await log(saved)
    }
    await publishReports(transaction, spaceId)
    return saved.find((row) => row.id === id) ?? before
  })
}

function decisionOf(body: UpdateReportBody, before: ReportRow, callerId: string): Decision {
  const { state, result, answer, expected } = body
  if (expected !== undefined && !isExpected(before, expected)) throw new ApiError('report_changed')
  if (state !== 'closed') {
    if (result !== undefined) throw new ApiError('invalid_request', 'only a closed report has a result')
    const assignee_id = state === 'taken' ? callerId : null
    return { state, assignee_id, result: null, answer: null, closed_by: null }
  }
  if (result === undefined) throw new ApiError('invalid_request', 'a report is closed with a result')
  const { assignee_id } = before
  const decision: Decision = { state, assignee_id, result, answer: answer || null, closed_by: callerId }
  if (before.state === 'closed' && !isUnchanged(before, decision)) throw new ApiError('report_changed')
  return decision
}

function isExpected(before: ReportRow, { state, assignee_id }: ExpectedReport): boolean {
  return before.state === state && before.assignee_id === assignee_id
}

/** Returns true if the decision changes nothing, such as closing twice with the same result, even by another person. */
function isUnchanged(before: ReportRow, { state, assignee_id, result, answer }: Decision): boolean {
  const isSame = before.state === state && before.result === result && before.answer === answer
  return isSame && before.assignee_id === assignee_id
}

/** @throws ApiError 404 for a report that the caller may not see, 400 over the limit of notes */
export async function addNote(
  { database }: Deps,
  deciders: Deciders,
  reportId: string,
  text: string,
): Promise<ReportNote[]> {
  const { spaceId, callerId } = deciders.queue
  return database.transactionIn(spaceId ?? callerId, async (transaction) => {
    const { queue } = await deciders.hold(transaction)
    const rows = await lockReportRows(transaction, queue, { id: reportId, withSimilar: false })
    if (rows.length === 0) throw new ApiError('unknown_report')
    if ((await countNotes(transaction, reportId)) >= MAX_NOTES) throw new ApiError('too_many_notes')
    await insertNote(transaction, { id: newId(), reportId, authorId: callerId, text })
    await publishReports(transaction, spaceId)
    return listNotes(transaction, reportId)
  })
}
