import { GREATEST_ID } from '@foyer/protocol/ids'
import { ApiError } from '#src/kernel/errors.ts'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import type { ThreadPosition } from './queries.ts'

const BEFORE_ALL: ThreadPosition = { activeAt: 'infinity', id: GREATEST_ID }

/**
 * Reads the cursor of a page: the time of the last thread's activity, in milliseconds, and its id.
 * @throws ApiError 400 for anything else
 */
export function positionOf(cursor: string | undefined): ThreadPosition {
  if (cursor === undefined) return BEFORE_ALL
  const [time = '', id = '', ...rest] = cursor.split('_')
  const isWhole = /^[0-9]{1,15}$/.test(time) && WRITTEN_UUID.test(id) && rest.length === 0
  if (!isWhole) throw new ApiError('invalid_cursor')
  return { activeAt: new Date(Number(time)).toISOString(), id }
}

/** Returns the cursor of the page after this thread. */
export function cursorAfter({ active_at, id }: { active_at: string; id: string }): string {
  return `${Date.parse(active_at)}_${id}`
}
