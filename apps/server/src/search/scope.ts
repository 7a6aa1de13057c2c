import { GREATEST_ID, LEAST_ID } from '@foyer/protocol/ids'
import { DEFAULT_SEARCH_PAGE } from '@foyer/protocol/limits'
import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { ApiError } from '#src/kernel/errors.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { type Condition, conditionOf } from './clauses.ts'
import { readTime } from './times.ts'

/** What is searched for. */
export interface Question extends Condition {
  readonly tenantId: string
  /** Ids of messages between these, which are not among them. */
  readonly after: string
  readonly before: string
  /** Times, as text, between which messages were sent; null where there is no bound. */
  readonly sentAfter: string | null
  readonly sentBefore: string | null
  readonly limit: number
}

/** What is searched for, and where. */
export interface Scope extends Question {
  /** Those that the caller may view, and asks for. */
  readonly channelIds: readonly string[]
}

/** An id's time and its message's are read one after the other: so far apart they never are, but for clocks that are set. */
const SLACK_MS = 5 * 60_000
/** The year 1: what PostgreSQL and we both know. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z')

/** @throws ApiError 400 for a time that is none, and when nothing is asked for */
export function readQuestion(tenantId: string, asked: SearchMessagesQuery): Question {
  const condition = conditionOf(tenantId, asked)
  const after = asked.after === undefined ? null : readTime('after', asked.after).floor
  const before = asked.before === undefined ? null : readTime('before', asked.before).ceil
  const isFiltered =
    asked.room_id !== undefined || asked.pinned !== undefined || after !== null || before !== null
  if (condition.clauses.length === 0 && !isFiltered) throw new ApiError('empty_search')
  return {
    ...condition,
    tenantId,
    after: after === null ? LEAST_ID : firstIdAt(after - SLACK_MS),
    before: least(asked.cursor ?? GREATEST_ID, before === null ? GREATEST_ID : firstIdAt(before + SLACK_MS)),
    sentAfter: asTime(after),
    sentBefore: asTime(before),
    limit: asked.limit ?? DEFAULT_SEARCH_PAGE,
  }
}

/** Ids in their canonical form come in the order of their texts. */
function least(a: string, b: string): string {
  return a < b ? a : b
}

function asTime(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.max(ms, FIRST_TIME)).toISOString()
}
