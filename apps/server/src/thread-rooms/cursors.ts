import { GREATEST_ID } from '@foyer/protocol/ids'
import { ApiError } from '#src/kernel/errors.ts'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import type { ThreadPosition } from './page-queries.ts'

const BEFORE_ALL: ThreadPosition = { time: 'infinity', id: GREATEST_ID }

/**
 * Reads the cursor of a page: the time of the last thread's activity or creation, in milliseconds, and its id.
 * @throws ApiError 400 for anything else
 */
export function positionOf(cursor: string | undefined): ThreadPosition {
  if (cursor === undefined) return BEFORE_ALL
  const [time = '', id = '', ...rest] = cursor.split('_')
  const isWhole = /^[0-9]{1,15}$/.test(time) && WRITTEN_UUID.test(id) && rest.length === 0
  if (!isWhole) throw new ApiError('invalid_cursor')
  return { time: new Date(Number(time)).toISOString(), id }
}

/** Returns the cursor of the page after this thread. */
export function cursorAfter({ time, id }: ThreadPosition): string {
  return `${Date.parse(time)}_${id}`
}
