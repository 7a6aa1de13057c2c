import type {
  Appeal,
  BanAppeal,
  CreateAppealBody,
  DecideAppealBody,
  ListAppealsQuery,
  OwnAppeal,
} from '@foyer/protocol/reports'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Appeals of banned users. */
export class Appeals {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Asks the moderators of a space to lift the caller's ban. Each ban allows one appeal. */
  create(spaceId: string, body: CreateAppealBody, options?: CallOptions): Promise<Appeal> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/spaces/${spaceId}/appeal`, body })
  }

  getOwn(spaceId: string, options?: CallOptions): Promise<Appeal> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/appeal` })
  }

  /** Lists the caller's appeals, newest first, with the names of their spaces. */
  listOwn(options?: CallOptions): Promise<OwnAppeal[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/appeals' })
  }

  /** Lists undecided appeals, oldest first, with the reasons of the bans, for members with BanMembers. */
  list(spaceId: string, query: ListAppealsQuery = {}, options?: CallOptions): Promise<BanAppeal[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/appeals`,
      query,
    })
  }

  /** Lifts or keeps the ban. */
  decide(spaceId: string, appealId: string, body: DecideAppealBody, options?: CallOptions): Promise<Appeal> {
    const where = path`/api/spaces/${spaceId}/appeals/${appealId}/decision`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }
}
