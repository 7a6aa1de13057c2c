import type {
  Announcement,
  CreateAnnouncementBody,
  Announcements as CurrentAnnouncements,
  UpdateAnnouncementBody,
} from '@foyer/protocol/announcements'
import { type CallOptions, path, type Rest } from '../rest.ts'

const base = '/api/operator/announcements'

/** Banners of operators for everyone. All methods except `list` are for operators. */
export class Announcements {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists current announcements. ANNOUNCEMENTS_UPDATE contains each later list. */
  list(options?: CallOptions): Promise<CurrentAnnouncements> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/announcements' })
  }

  /** Lists announcements for operators, including those that begin later. */
  listAll(options?: CallOptions): Promise<Announcement[]> {
    return this.#rest.request({ ...options, method: 'GET', path: base })
  }

  create(body: CreateAnnouncementBody, options?: CallOptions): Promise<Announcement> {
    return this.#rest.request({ ...options, method: 'POST', path: base, body })
  }

  /** Omitted fields stay unchanged. */
  update(announcementId: string, body: UpdateAnnouncementBody, options?: CallOptions): Promise<Announcement> {
    const where = path`/api/operator/announcements/${announcementId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  /** Ends the announcement early. */
  end(announcementId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/operator/announcements/${announcementId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
