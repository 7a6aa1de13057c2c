import type { Ban } from '@foyer/protocol/bans'
import type { Events } from '@foyer/protocol/events'
import { MAX_BANS_PAGE } from '@foyer/protocol/limits'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { useAction } from '#src/ui/fields/use-action.ts'

export interface Bans {
  /** Sorted by user id; undefined while loading. */
  readonly bans: readonly Ban[] | undefined
  /** Error message if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Null when all bans are loaded. */
  readonly loadMore: (() => void) | null
  /** Error message if the next page could not be loaded. */
  readonly moreError: string | null
}

/** The bans of a space, kept up to date. */
export function useBans(spaceId: string): Bans {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.bans.list(spaceId, {}, options),
    [spaceId],
  )
  const { client } = useSession()
  const { answer, again, change } = useAnswer(ask)
  const more = useAction()
  const [isComplete, setIsComplete] = useState(false)
  const bans = answer.state === 'here' ? answer.value : undefined
  const last = bans?.at(-1)

  const onCreate = useCallback(
    (ban: Events['SPACE_BAN_CREATE']) => {
      if (ban.space_id === spaceId) change((before) => merged(before, [ban]))
    },
    [spaceId, change],
  )
  const onDelete = useCallback(
    ({ space_id, user_id }: Events['SPACE_BAN_DELETE']) => {
      if (space_id === spaceId) change((before) => before.filter((ban) => ban.user_id !== user_id))
    },
    [spaceId, change],
  )
  useEvent('SPACE_BAN_CREATE', onCreate)
  useEvent('SPACE_BAN_DELETE', onDelete)
  // Events may have been missed while disconnected.
  useEvent('READY', again)

  function loadMore() {
    more.run(async () => {
      const page = await client.bans.list(spaceId, last === undefined ? {} : { after: last.user_id })
      setIsComplete(page.length < MAX_BANS_PAGE)
      change((before) => merged(before, page))
    })
  }

  const mayHaveMore = bans !== undefined && bans.length >= MAX_BANS_PAGE && !isComplete
  return {
    bans,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    loadMore: mayHaveMore ? loadMore : null,
    moreError: more.error,
  }
}

function merged(before: readonly Ban[], added: readonly Ban[]): Ban[] {
  const byUser = new Map([...before, ...added].map((ban) => [ban.user_id, ban]))
  return [...byUser.values()].sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
}
