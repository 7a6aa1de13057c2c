import { GREATEST_ID, LEAST_ID } from '@foyer/protocol/ids'
import { DEFAULT_SEARCH_PAGE } from '@foyer/protocol/limits'
import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { ApiError } from '#src/kernel/errors.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { type Condition, conditionOf } from './clauses.ts'
import { asksForPosts, type PostsAsked } from './posts.ts'
import { readTime } from './times.ts'

/** The conditions of a search. */
export interface Question extends Condition {
  readonly tenantId: string
  /** Bounds of message ids, both exclusive. */
  readonly after: string
  readonly before: string
  /** Bounds of the sending time, as text; null without a bound. */
  readonly sentAfter: string | null
  readonly sentBefore: string | null
  readonly limit: number
  /** Posts to which the search is limited; null for no limit. */
  readonly posts: PostsAsked | null
}

/** The conditions of a search, and its channels. */
export interface Scope extends Question {
  /** The requested channels that the caller may view. */
  readonly channelIds: readonly string[]
}

/** Maximum difference between the time in a message's id and its creation time, unless clocks are changed. */
const SLACK_MS = 5 * 60_000
/** The year 1, which PostgreSQL and JavaScript both represent. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z')

/** @throws ApiError 400 for an invalid time, and for an empty search */
export function readQuestion(tenantId: string, asked: SearchMessagesQuery): Question {
  const condition = conditionOf(tenantId, asked)
  const after = asked.after === undefined ? null : readTime('after', asked.after).floor
  const before = asked.before === undefined ? null : readTime('before', asked.before).ceil
  const isFiltered =
    asked.room_id !== undefined ||
    asked.thread !== undefined ||
    asksForPosts(asked) ||
    asked.pinned !== undefined ||
    after !== null ||
    before !== null
  if (condition.clauses.length === 0 && !isFiltered) throw new ApiError('empty_search')
  return {
    ...condition,
    tenantId,
    after: after === null ? LEAST_ID : firstIdAt(after - SLACK_MS),
    before: least(asked.cursor ?? GREATEST_ID, before === null ? GREATEST_ID : firstIdAt(before + SLACK_MS)),
    sentAfter: asTime(after),
    sentBefore: asTime(before),
    limit: asked.limit ?? DEFAULT_SEARCH_PAGE,
    posts: null,
  }
}

/** Returns the smaller id. Ids in canonical form sort in the order of their text. */
function least(a: string, b: string): string {
  return a < b ? a : b
}

function asTime(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.max(ms, FIRST_TIME)).toISOString()
}
