import type { PresenceStatus } from '@foyer/protocol/presence'
import { useAppState } from '#src/session/context.ts'
import { statusOf } from '#src/store/presences.ts'
import './presence-mark.css'
import { presenceWords } from './words.ts'

/** Whether somebody is there, at the corner of what it stands in: by shape as well as by colour. */
export function PresenceMark({ userId }: { userId: string }) {
  const status = useAppState((state) => statusOf(state, userId))
  return status === undefined ? null : <StatusMark status={status} />
}

export function StatusMark({ status }: { status: PresenceStatus }) {
  return <span className="presence-mark" data-status={status} aria-hidden="true" />
}

/** The same for who listens: to stand behind the name. */
export function PresenceWords({ userId }: { userId: string }) {
  const status = useAppState((state) => statusOf(state, userId))
  return status === undefined ? null : <span className="visually-hidden">, {presenceWords[status]}</span>
}
