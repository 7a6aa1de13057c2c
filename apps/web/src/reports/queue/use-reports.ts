import { MAX_PAGE } from '@foyer/protocol/limits'
import type { ListReportsQuery, Report } from '@foyer/protocol/reports'
import type { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions } from '@foyer/sdk/rest'
import { useCallback, useMemo, useRef } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { usePeople } from '#src/session/use-people.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { readReports } from './read-reports.ts'
import { reportDoor } from './report-door.ts'
import { useQueueEvent } from './use-queue-event.ts'

export type Shown = 'open' | 'mine' | 'closed'

export interface ReportFilter {
  readonly shown: Shown
  /** Id of the user whom the reports are about; null for all reports. */
  readonly userId: string | null
}

export interface ReportList {
  /** Undefined while loading. */
  readonly reports: readonly Report[] | undefined
  /** Message, if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Null when all pages are loaded. */
  readonly loadMore: (() => void) | null
  readonly isLoadingMore: boolean
  /** Message, if the next page could not be loaded. */
  readonly moreError: string | null
  /** Replaces a report that was just changed. */
  replace(report: Report): void
}

/** The reports of a queue, kept up to date. A change reads all loaded pages again. */
export function useReports(spaceId: string | null, filter: ReportFilter): ReportList {
  const { client } = useSession()
  const query = useQuery(filter)
  const pages = useRef(1)
  const ask = useCallback(
    (asked: Client, options: CallOptions) =>
      readReports(reportDoor(asked, spaceId), query, pages.current, options),
    [spaceId, query],
  )
  const { answer, again, change } = useAnswer(ask)
  const more = useAction()
  useQueueEvent(spaceId, again)
  const loaded = answer.state === 'here' ? answer.value : undefined
  usePeople((loaded?.reports ?? []).flatMap(decidersOf))

  function loadMore() {
    more.run(async () => {
      const after = loaded?.reports.at(-1)?.id
      const page = await reportDoor(client, spaceId)
        .list({ ...query, ...(after !== undefined && { after }) })
        .catch(noneIfGone)
      // The report that the next page would follow was removed, so the list is read again.
      if (page === null) return again()
      pages.current += 1
      change(({ reports }) => ({ reports: [...reports, ...page], isComplete: page.length < MAX_PAGE }))
    })
  }

  return {
    reports: loaded?.reports,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    loadMore: loaded === undefined || loaded.isComplete ? null : loadMore,
    isLoadingMore: more.pending,
    moreError: more.error,
    replace: (report) =>
      change(({ reports, isComplete }) => ({
        isComplete,
        reports: reports.map((one) => (one.id === report.id ? report : one)),
      })),
  }
}

function useQuery({ shown, userId }: ReportFilter): ListReportsQuery {
  const myId = useAppState((state) => state.me?.id)
  return useMemo(
    () => ({
      ...(shown === 'closed' && { closed: true }),
      ...(shown === 'mine' && myId !== undefined && { assignee_id: myId }),
      ...(userId !== null && { user_id: userId }),
    }),
    [shown, userId, myId],
  )
}

function noneIfGone(error: unknown): null {
  if (error instanceof ApiError && error.code === 'unknown_report') return null
  throw error
}

function decidersOf({ assignee_id, closed_by }: Report): string[] {
  return [assignee_id, closed_by].filter((id) => id !== null)
}
