import type { PresenceStatus } from '@foyer/protocol/presence'
import { useAppState } from '#src/session/context.ts'
import { statusOf } from '#src/store/presences.ts'
import './presence-mark.css'
import { presenceWords } from './words.ts'

/** A user's presence at the corner of the avatar, by shape as well as colour. */
export function PresenceMark({ userId }: { userId: string }) {
  const status = useAppState((state) => statusOf(state, userId))
  return status === undefined ? null : <StatusMark status={status} />
}

export function StatusMark({ status }: { status: PresenceStatus }) {
  return <span className="presence-mark" data-status={status} aria-hidden="true" />
}

/** A user's presence for screen readers, after the name. */
export function PresenceWords({ userId }: { userId: string }) {
  const status = useAppState((state) => statusOf(state, userId))
  return status === undefined ? null : <span className="visually-hidden">, {presenceWords[status]}</span>
}
