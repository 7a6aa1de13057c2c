import type { Newcomer } from '@foyer/protocol/door'
import type { Events } from '@foyer/protocol/events'
import { MAX_BANS_PAGE } from '@foyer/protocol/limits'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useMemo } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { throttle } from '#src/ui/time/throttle.ts'

/** The list is requested at most once in this time, so that a raid causes few requests. */
const SETTLE_MS = 1500

export interface Newcomers {
  /** Sorted by the age of their accounts, oldest first; undefined while loading. */
  readonly newcomers: readonly Newcomer[] | undefined
  /** Error message if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Removes people on whom the user has just decided, before the event arrives. */
  remove(userIds: readonly string[]): void
}

/** All newcomers of a space, kept up to date. */
export function useNewcomers(spaceId: string): Newcomers {
  const ask = useCallback(
    (client: Client, options: CallOptions) => listAll(client, spaceId, options),
    [spaceId],
  )
  const { answer, again, change } = useAnswer(ask)
  const asking = useMemo(() => throttle(again, SETTLE_MS), [again])
  useEffect(() => asking.stop, [asking])
  const onUpdate = useCallback(
    ({ space_id }: Events['SPACE_DOOR_UPDATE']) => {
      if (space_id === spaceId) asking.run()
    },
    [spaceId, asking],
  )
  useEvent('SPACE_DOOR_UPDATE', onUpdate)
  // Events may have been missed while disconnected.
  useEvent('READY', again)
  return {
    newcomers: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    remove: (userIds) => {
      const gone = new Set(userIds)
      change((newcomers) => newcomers.filter(({ user }) => !gone.has(user.id)))
    },
  }
}

/** Loads all pages: a space has few, and the user chooses among all newcomers. */
async function listAll(client: Client, spaceId: string, options: CallOptions): Promise<Newcomer[]> {
  const all: Newcomer[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await client.door.listNewcomers(
      spaceId,
      last === undefined ? {} : { after: last.user.id },
      options,
    )
    all.push(...page)
    if (page.length < MAX_BANS_PAGE) return all
  }
}
