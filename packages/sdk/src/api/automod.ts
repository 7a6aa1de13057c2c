import type {
  AutomodHitPage,
  AutomodHitQuery,
  AutomodRule,
  AutomodTrial,
  CreateAutomodRuleBody,
  HeldMessage,
  TryAutomodRuleBody,
  UpdateAutomodRuleBody,
} from '@foyer/protocol/automod'
import type { Message } from '@foyer/protocol/messages'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** The AutoMod rules of a space, for members with ManageAutomod. */
export class Automod {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  listRules(spaceId: string, options?: CallOptions): Promise<AutomodRule[]> {
    return this.#rest.request({ ...options, method: 'GET', path: rulesPath(spaceId) })
  }

  createRule(spaceId: string, body: CreateAutomodRuleBody, options?: CallOptions): Promise<AutomodRule> {
    return this.#rest.request({ ...options, method: 'POST', path: rulesPath(spaceId), body })
  }

  /** Omitted fields stay unchanged. */
  updateRule(
    spaceId: string,
    ruleId: string,
    body: UpdateAutomodRuleBody,
    options?: CallOptions,
  ): Promise<AutomodRule> {
    const where = path`/api/spaces/${spaceId}/automod/rules/${ruleId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  deleteRule(spaceId: string, ruleId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/spaces/${spaceId}/automod/rules/${ruleId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  /** Returns the messages among the newest 1,000 that a rule would have caught, without saving it. */
  tryRule(spaceId: string, body: TryAutomodRuleBody, options?: CallOptions): Promise<AutomodTrial> {
    const where = path`/api/spaces/${spaceId}/automod/rules/try`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  /** Returns the hits of the last seven days, newest first. For the next page, pass the last hit's id as `before_id`. */
  listHits(spaceId: string, query: AutomodHitQuery = {}, options?: CallOptions): Promise<AutomodHitPage> {
    const where = path`/api/spaces/${spaceId}/automod/hits`
    return this.#rest.request({ ...options, method: 'GET', path: where, query })
  }

  /** The messages that wait for review in rooms that the caller may view, oldest first. */
  listHeld(spaceId: string, options?: CallOptions): Promise<HeldMessage[]> {
    const where = path`/api/spaces/${spaceId}/automod/held`
    return this.#rest.request({ ...options, method: 'GET', path: where })
  }

  /** Posts a held message. */
  approveHeld(spaceId: string, heldId: string, options?: CallOptions): Promise<Message> {
    const where = path`/api/spaces/${spaceId}/automod/held/${heldId}/approve`
    return this.#rest.request({ ...options, method: 'POST', path: where })
  }

  /** Discards a held message. */
  rejectHeld(spaceId: string, heldId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/spaces/${spaceId}/automod/held/${heldId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}

function rulesPath(spaceId: string): string {
  return path`/api/spaces/${spaceId}/automod/rules`
}
