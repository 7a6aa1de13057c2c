import { useEffect } from 'react'
import { forgetBan, rememberBan } from '#src/session/known-bans.ts'
import type { Standing } from './use-own-appeal.ts'

/** lifted: the user was banned, and may join again. unknown: not known yet. */
export type Ban = 'unknown' | 'banned' | 'lifted' | 'free'

export function banOf(standing: Standing): Ban {
  if (standing.state === 'told') return standing.appeal.state === 'accepted' ? 'lifted' : 'banned'
  if (standing.state === 'none') return 'banned'
  return standing.state === 'lifted' || standing.state === 'free' ? standing.state : 'unknown'
}

/** Remembers in this browser whether the user is banned. */
export function useKeptBan(spaceId: string, ban: Ban): void {
  useEffect(() => {
    if (ban === 'free') forgetBan(spaceId)
    else if (ban !== 'unknown') rememberBan(spaceId)
  }, [spaceId, ban])
}
