import type { AutomodHitQuery } from '@foyer/protocol/automod'
import { Automod } from '@foyer/sdk/api/automod'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { type LoadedHits, noHits, withHits } from './loaded-hits.ts'

export interface Hits {
  /** Undefined while loading, also after another rule was chosen. */
  readonly loaded: LoadedHits | undefined
  /** Error message if the hits could not be loaded. */
  readonly error: string | null
  again(): void
  /** Null when all hits are loaded. */
  readonly loadMore: (() => void) | null
  readonly isLoadingMore: boolean
  /** Error message if the next page could not be loaded. */
  readonly moreError: string | null
}

/** All hits of AutoMod in a space. There are no events for them: opening the list again shows new hits. */
export function useHits(spaceId: string, ruleId: string | null): Hits {
  const { client } = useSession()
  const ask = useCallback(
    async (asked: Client, options: CallOptions) =>
      withHits(noHits, await asked.api(Automod).listHits(spaceId, filterOf(ruleId), options)),
    [spaceId, ruleId],
  )
  const { answer, isOutdated, again, change } = useAnswer(ask)
  const more = useAction()
  const loaded = answer.state === 'here' && !isOutdated ? answer.value : undefined

  function loadMore() {
    const last = loaded?.hits.at(-1)
    if (last === undefined) return
    more.run(async () => {
      const page = await client.api(Automod).listHits(spaceId, { ...filterOf(ruleId), before_id: last.id })
      change((before) => withHits(before, page))
    })
  }

  return {
    loaded,
    error: answer.state === 'failed' && !isOutdated ? answer.message : null,
    again,
    loadMore: loaded === undefined || loaded.isComplete ? null : loadMore,
    isLoadingMore: more.pending,
    moreError: more.error,
  }
}

function filterOf(ruleId: string | null): AutomodHitQuery {
  return ruleId === null ? {} : { rule_id: ruleId }
}
