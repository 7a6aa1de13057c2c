import type {
  CreateReportNoteBody,
  ListReportsQuery,
  Report,
  ReportNote,
  UpdateReportBody,
} from '@foyer/protocol/reports'
import { Reports, ServerReports } from '@foyer/sdk/api/reports'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'

/** The requests for a queue of reports: of one space, or of operators. */
export interface ReportDoor {
  list(query: ListReportsQuery, options?: CallOptions): Promise<Report[]>
  get(reportId: string): Promise<Report>
  update(reportId: string, body: UpdateReportBody): Promise<Report>
  listNotes(reportId: string, options?: CallOptions): Promise<ReportNote[]>
  /** @returns all notes of the report, with the new one */
  addNote(reportId: string, body: CreateReportNoteBody): Promise<ReportNote[]>
}

/** @param spaceId the space whose moderators decide; null if operators decide */
export function reportDoor(client: Client, spaceId: string | null): ReportDoor {
  if (spaceId === null) return client.api(ServerReports)
  const reports = client.api(Reports)
  return {
    list: (query, options) => reports.list(spaceId, query, options),
    get: (reportId) => reports.get(spaceId, reportId),
    update: (reportId, body) => reports.update(spaceId, reportId, body),
    listNotes: (reportId, options) => reports.listNotes(spaceId, reportId, options),
    addNote: (reportId, body) => reports.addNote(spaceId, reportId, body),
  }
}
