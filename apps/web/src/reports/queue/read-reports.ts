import { MAX_PAGE } from '@foyer/protocol/limits'
import type { ListReportsQuery, Report } from '@foyer/protocol/reports'
import type { CallOptions } from '@foyer/sdk/rest'
import type { ReportDoor } from './report-door.ts'

export interface LoadedReports {
  readonly reports: readonly Report[]
  /** True when there is no further page. */
  readonly isComplete: boolean
}

/** Reads the first pages of the queue. */
export async function readReports(
  door: ReportDoor,
  query: ListReportsQuery,
  pages: number,
  options: CallOptions,
): Promise<LoadedReports> {
  const reports: Report[] = []
  for (let page = 0; page < pages; page += 1) {
    const last = reports.at(-1)
    const next = await door.list({ ...query, ...(last !== undefined && { after: last.id }) }, options)
    reports.push(...next)
    if (next.length < MAX_PAGE) return { reports, isComplete: true }
  }
  return { reports, isComplete: false }
}
