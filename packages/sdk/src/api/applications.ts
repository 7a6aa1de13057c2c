import type {
  Application,
  BotToken,
  CreateApplicationBody,
  CreateApplicationResult,
  UpdateApplicationBody,
} from '@foyer/protocol/applications'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Bot applications of the caller. Only for people. */
export class Applications {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists the caller's applications. */
  list(options?: CallOptions): Promise<Application[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/applications' })
  }

  /** Creates an application with its bot. Only this response contains the token. */
  create(body: CreateApplicationBody, options?: CallOptions): Promise<CreateApplicationResult> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/applications', body })
  }

  /** Returns one of the caller's applications, or one whose bot is public. */
  get(appId: string, options?: CallOptions): Promise<Application> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/applications/${appId}` })
  }

  update(appId: string, body: UpdateApplicationBody, options?: CallOptions): Promise<Application> {
    return this.#rest.request({ ...options, method: 'PATCH', path: path`/api/applications/${appId}`, body })
  }

  /** Deletes the application and its bot. */
  delete(appId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/applications/${appId}` })
  }

  /** Creates a new token. The previous one stops working at once. */
  resetToken(appId: string, options?: CallOptions): Promise<BotToken> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/applications/${appId}/bot/token`,
    })
  }
}
