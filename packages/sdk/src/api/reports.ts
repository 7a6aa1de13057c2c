import type {
  CreateReportBody,
  CreateReportNoteBody,
  ListReportsQuery,
  OwnReport,
  Report,
  ReportNote,
  UpdateReportBody,
} from '@foyer/protocol/reports'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Reports of messages, users and spaces. Members with ManageReports handle the reports of their space. */
export class Reports {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Reports a user, message or space to moderators or operators. The server stores a copy of what is reported. */
  create(body: CreateReportBody, options?: CallOptions): Promise<OwnReport> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/reports', body })
  }

  /** Lists the caller's newest reports. */
  listOwn(options?: CallOptions): Promise<OwnReport[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/reports' })
  }

  /** Lists open and taken reports oldest first, or closed ones newest first. For the next page, pass the last id as `after`. */
  list(spaceId: string, query: ListReportsQuery = {}, options?: CallOptions): Promise<Report[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/reports`,
      query,
    })
  }

  get(spaceId: string, reportId: string, options?: CallOptions): Promise<Report> {
    const where = path`/api/spaces/${spaceId}/reports/${reportId}`
    return this.#rest.request({ ...options, method: 'GET', path: where })
  }

  /** Takes, releases, closes or reopens a report. The reporters are notified when it is closed. */
  update(spaceId: string, reportId: string, body: UpdateReportBody, options?: CallOptions): Promise<Report> {
    const where = path`/api/spaces/${spaceId}/reports/${reportId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  /** Lists the moderators' notes about the report, oldest first. */
  listNotes(spaceId: string, reportId: string, options?: CallOptions): Promise<ReportNote[]> {
    const where = path`/api/spaces/${spaceId}/reports/${reportId}/notes`
    return this.#rest.request({ ...options, method: 'GET', path: where })
  }

  /** @returns all notes */
  addNote(
    spaceId: string,
    reportId: string,
    body: CreateReportNoteBody,
    options?: CallOptions,
  ): Promise<ReportNote[]> {
    const where = path`/api/spaces/${spaceId}/reports/${reportId}/notes`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }
}

/** The reports that operators handle. */
export class ServerReports {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists reports in the order of `reports.list`. */
  list(query: ListReportsQuery = {}, options?: CallOptions): Promise<Report[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/reports', query })
  }

  get(reportId: string, options?: CallOptions): Promise<Report> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/operator/reports/${reportId}` })
  }

  /** Changes a report like `Reports.update`, for operators. */
  update(reportId: string, body: UpdateReportBody, options?: CallOptions): Promise<Report> {
    const where = path`/api/operator/reports/${reportId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  listNotes(reportId: string, options?: CallOptions): Promise<ReportNote[]> {
    const where = path`/api/operator/reports/${reportId}/notes`
    return this.#rest.request({ ...options, method: 'GET', path: where })
  }

  /** @returns all notes */
  addNote(reportId: string, body: CreateReportNoteBody, options?: CallOptions): Promise<ReportNote[]> {
    const where = path`/api/operator/reports/${reportId}/notes`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }
}
