import type { Events } from '@foyer/protocol/events'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type { BanAppeal } from '@foyer/protocol/reports'
import { Appeals } from '@foyer/sdk/api/appeals'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useRef } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useDelayed } from '#src/ui/time/use-delayed.ts'

/** Delay before the list is requested again, so that many appeals at once cause few requests. */
const SETTLE_MS = 500

interface Pages {
  readonly appeals: readonly BanAppeal[]
  readonly hasMore: boolean
}

export interface OpenAppeals {
  /** Oldest first; undefined while loading. */
  readonly appeals: readonly BanAppeal[] | undefined
  /** Error message if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Removes an appeal that the user has just decided, before the event arrives. */
  remove(id: string): void
  /** Null when all appeals are loaded. */
  readonly loadMore: (() => void) | null
  /** Error message if the next page could not be loaded. */
  readonly moreError: string | null
}

/** The undecided appeals against bans of a space, kept up to date. */
export function useAppeals(spaceId: string): OpenAppeals {
  const { client } = useSession()
  const pageCount = useRef(1)
  const ask = useCallback(
    (asked: Client, options: CallOptions) => readPages(asked, spaceId, pageCount.current, options),
    [spaceId],
  )
  const { answer, again, change } = useAnswer(ask)
  const more = useAction()
  useChanges(spaceId, again)
  const pages = answer.state === 'here' ? answer.value : undefined

  function loadMore() {
    more.run(async () => {
      const page = await readPage(client, spaceId, pages?.appeals ?? [])
      pageCount.current += 1
      change((before) => merged(before, page))
    })
  }

  return {
    appeals: pages?.appeals,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    remove: (id) =>
      change((before) => ({ ...before, appeals: before.appeals.filter((appeal) => appeal.id !== id) })),
    loadMore: pages?.hasMore ? loadMore : null,
    moreError: more.error,
  }
}

/** Reloads the list when an appeal is made or decided, or when the reason of a ban may have changed. */
function useChanges(spaceId: string, again: () => void): void {
  const askSoon = useDelayed(again, SETTLE_MS)
  const onChange = useCallback(
    ({ space_id }: Events['APPEALS_UPDATE']) => {
      if (space_id === spaceId) askSoon()
    },
    [spaceId, askSoon],
  )
  useEvent('APPEALS_UPDATE', onChange)
  useEvent('SPACE_BAN_CREATE', onChange)
  // Events may have been missed while disconnected.
  useEvent('READY', again)
}

async function readPages(
  client: Client,
  spaceId: string,
  count: number,
  options: CallOptions,
): Promise<Pages> {
  let pages: Pages = { appeals: [], hasMore: true }
  for (let read = 0; read < count && pages.hasMore; read += 1)
    pages = merged(pages, await readPage(client, spaceId, pages.appeals, options))
  return pages
}

function readPage(
  client: Client,
  spaceId: string,
  before: readonly BanAppeal[],
  options?: CallOptions,
): Promise<BanAppeal[]> {
  const last = before.at(-1)
  return client.api(Appeals).list(spaceId, last === undefined ? {} : { after: last.id }, options)
}

function merged({ appeals }: Pages, page: readonly BanAppeal[]): Pages {
  const known = new Set(appeals.map(({ id }) => id))
  return {
    appeals: [...appeals, ...page.filter(({ id }) => !known.has(id))],
    hasMore: page.length >= MAX_PAGE,
  }
}
