import type { AuditLogEntry, AuditLogFilter } from '@foyer/protocol/audit-log'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { passes } from './audit-filter.ts'
import { emptyLog, type LoadedLog, withEntry, withPage } from './log-entries.ts'

export interface AuditLogList {
  /** Undefined while loading. After the filter changes, the previous entries stay until the new ones are loaded. */
  readonly log: LoadedLog | undefined
  readonly isLoading: boolean
  /** Error message if the log could not be loaded. */
  readonly error: string | null
  again(): void
  /** Null when all entries are loaded. */
  readonly loadMore: (() => void) | null
  readonly isLoadingMore: boolean
  /** Error message if the next page could not be loaded. */
  readonly moreError: string | null
  /** Adds an entry from a response, unless its event has already added it. */
  add(entry: AuditLogEntry): void
}

/** The entries of a space's audit log that pass the filter, kept up to date. */
export function useAuditLog(spaceId: string, filter: AuditLogFilter): AuditLogList {
  const { client } = useSession()
  const ask = useCallback(
    async (asked: Client, options: CallOptions) =>
      withPage(emptyLog, await asked.auditLog.list(spaceId, filter, options)),
    [spaceId, filter],
  )
  const { answer, isOutdated, again, change } = useAnswer(ask)
  const more = useAction()
  const log = answer.state === 'here' ? answer.value : undefined

  const add = useCallback(
    (entry: AuditLogEntry) => {
      if (entry.space_id === spaceId) change((before) => withEntry(before, entry, passes(entry, filter)))
    },
    [spaceId, filter, change],
  )
  useEvent('AUDIT_LOG_ENTRY_CREATE', add)
  // Events may have been missed while disconnected.
  useEvent('READY', again)

  function loadMore() {
    const last = log?.entries.at(-1)
    if (last === undefined) return
    more.run(async () => {
      const page = await client.auditLog.list(spaceId, { ...filter, before_id: last.id })
      change((before) => withPage(before, page))
    })
  }

  return {
    log,
    isLoading: isOutdated || answer.state === 'loading',
    error: answer.state === 'failed' ? answer.message : null,
    again,
    loadMore: log === undefined || log.isComplete ? null : loadMore,
    isLoadingMore: more.pending,
    moreError: more.error,
    add,
  }
}
