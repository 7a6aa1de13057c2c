import type { ListReportsQuery, Report, ReportNote } from '@foyer/protocol/reports'
import { ApiError } from '#src/kernel/errors.ts'
import { findReportRow, listNotes, listReportRows, type Queue, type ReportRow } from './queries.ts'
import { completeReports, type ReportReader } from './reading.ts'

export async function showReports(
  reader: ReportReader,
  queue: Queue,
  query: ListReportsQuery,
): Promise<Report[]> {
  return completeReports(reader, queue, await listReportRows(reader.database, queue, query))
}

/** @throws ApiError 404 for a report of another queue, and for a report that the caller may not see */
export async function showReport(reader: ReportReader, queue: Queue, id: string): Promise<Report> {
  return complete(reader, queue, await findReportRow(reader.database, queue, id))
}

export async function complete(
  reader: ReportReader,
  queue: Queue,
  row: ReportRow | undefined,
): Promise<Report> {
  const [report] = row === undefined ? [] : await completeReports(reader, queue, [row])
  if (report === undefined) throw new ApiError('unknown_report')
  return report
}

/** @throws ApiError with the errors of `showReport` */
export async function showNotes({ database }: ReportReader, queue: Queue, id: string): Promise<ReportNote[]> {
  if ((await findReportRow(database, queue, id)) === undefined) throw new ApiError('unknown_report')
  return listNotes(database, id)
}
