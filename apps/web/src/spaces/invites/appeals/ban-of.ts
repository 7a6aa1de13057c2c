import { useEffect } from 'react'
import { forgetBan, rememberBan } from '#src/session/known-bans.ts'
import type { AppealStatus } from './use-own-appeal.ts'

/** lifted: the user was banned, and may join again. free: the user was not banned. unknown: not loaded, or loading failed. */
export type Ban = 'unknown' | 'banned' | 'lifted' | 'free'

export function banOf(status: AppealStatus): Ban {
  if (status.state === 'appealed') return status.appeal.state === 'accepted' ? 'lifted' : 'banned'
  if (status.state === 'none') return 'banned'
  return status.state === 'lifted' || status.state === 'free' ? status.state : 'unknown'
}

/** Remembers in this browser that the user is or was banned, until the server reports no ban. */
export function useKeptBan(spaceId: string, ban: Ban): void {
  useEffect(() => {
    if (ban === 'free') forgetBan(spaceId)
    else if (ban !== 'unknown') rememberBan(spaceId)
  }, [spaceId, ban])
}
