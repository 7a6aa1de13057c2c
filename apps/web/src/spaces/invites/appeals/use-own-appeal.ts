import type { Events } from '@foyer/protocol/events'
import type { Appeal } from '@foyer/protocol/reports'
import { Appeals } from '@foyer/sdk/api/appeals'
import type { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions } from '@foyer/sdk/rest'
import { useCallback, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { type Answer, useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'

/**
 * none: the user can appeal. lifted: the ban has ended. free: the user is not banned, and was not banned since the page
 * was opened.
 */
export type AppealStatus =
  | { readonly state: 'loading' | 'none' | 'lifted' | 'free' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'appealed'; readonly appeal: Appeal }

/** The user's appeal; without an appeal, `none` if the user is banned, `free` if not. */
type Own = Appeal | 'none' | 'free'

export interface OwnAppeal {
  readonly status: AppealStatus
  again(): void
  /** Sends an appeal. If the user has already appealed or the ban has ended, `status` shows that instead. */
  send(text: string): Promise<void>
}

/** The user's appeal against a ban, and its state. */
export function useOwnAppeal(spaceId: string): OwnAppeal {
  const { client } = useSession()
  const [isLifted, setIsLifted] = useState(false)
  const [decided, setDecided] = useState<Appeal | null>(null)
  const known = useRef<Own>('free')
  const ask = useCallback(
    async (asked: Client, options: CallOptions) => {
      const before = known.current
      const own = await readOwn(asked, spaceId, options)
      // The ban ended after the last answer, even if no event reported it.
      if (own === 'free' && before !== 'free') setIsLifted(true)
      // Ignores the answer if an appeal was sent or decided during the request, because that is newer.
      else if (known.current === before) known.current = own
      return known.current
    },
    [spaceId],
  )
  const { answer, again, change } = useAnswer(ask)
  const onUpdate = useCallback(
    (appeal: Events['APPEAL_UPDATE']) => {
      if (appeal.space_id !== spaceId) return
      known.current = appeal
      setDecided(appeal)
    },
    [spaceId],
  )
  useEvent('APPEAL_UPDATE', onUpdate)
  // Events may have been missed while disconnected.
  useEvent('READY', again)

  async function send(text: string) {
    try {
      const own = await client.api(Appeals).create(spaceId, { text })
      known.current = own
      change(() => own)
    } catch (thrown) {
      const code = thrown instanceof ApiError ? thrown.code : null
      if (code === 'already_appealed') again()
      else if (code === 'unknown_ban') setIsLifted(true)
      else throw thrown
    }
  }

  return {
    status: isLifted && decided?.state !== 'accepted' ? { state: 'lifted' } : statusOf(answer, decided),
    again,
    send,
  }
}

function statusOf(answer: Answer<Own>, decided: Appeal | null): AppealStatus {
  if (decided !== null) return { state: 'appealed', appeal: decided }
  if (answer.state !== 'here') return answer
  return typeof answer.value === 'string'
    ? { state: answer.value }
    : { state: 'appealed', appeal: answer.value }
}

async function readOwn(client: Client, spaceId: string, options: CallOptions): Promise<Own> {
  try {
    return await client.api(Appeals).getOwn(spaceId, options)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    if (thrown.code === 'unknown_appeal') return 'none'
    if (thrown.code === 'unknown_ban') return 'free'
    throw thrown
  }
}
