import type { Role } from '@foyer/protocol/roles'
import type { ListedMember } from '@foyer/sdk/member-list'
import { Clock, Crown } from 'lucide-react'
import { memo } from 'react'
import { useProfileHandlers } from '#src/friends/profiles/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { useTimeoutEnd } from '#src/permissions/timeout.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { PresenceWords } from '#src/presence/presence-mark.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { nameColors } from '#src/roles/role-color.ts'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'

/** The position of a row. */
export interface RowPosition {
  /** Index in the whole list, from 0. */
  readonly index: number
  /** Position in its group, from 1. */
  readonly position: number
  readonly size: number
  /** Distance from the first row of the group, in rem. */
  readonly top: number
}

interface MemberRowProps extends RowPosition {
  member: ListedMember['member']
  customStatus: string
  isOffline: boolean
  name: string
  /** Roles of the space. */
  roles: readonly Role[]
  isOwner: boolean
  isTabStop: boolean
}

/** A member in the list. Clicking it opens their profile card. */
export const MemberRow = memo(function MemberRow(props: MemberRowProps) {
  const { member, customStatus, isOffline, name, roles, isOwner, isTabStop, index, position, size, top } =
    props
  const handlers = useProfileHandlers(member.user_id)
  return (
    <li
      className="member-slot"
      style={{ top: `${top}rem` }}
      aria-posinset={position}
      aria-setsize={size}
      data-offline={isOffline || undefined}
    >
      <button
        type="button"
        className="member"
        aria-haspopup="dialog"
        tabIndex={isTabStop ? 0 : -1}
        data-place={index}
        data-profile={member.user_id}
        {...handlers}
      >
        <Avatar id={member.user_id} name={name} size="sm" picture={member.user.avatar} hasPresence />
        <span className="member-names">
          <span className="member-name" title={`@${member.user.username}`}>
            <ColoredName colors={nameColors(roles, member.roles)}>{name}</ColoredName>
            <PresenceWords userId={member.user_id} />
            {member.user.is_bot && <BotBadge />}
            {isOwner && (
              <>
                <Crown aria-hidden="true" />
                <span className="visually-hidden">{`, ${t('owner')}`}</span>
              </>
            )}
            {member.timeout_until !== null && <TimedOutMark member={member} />}
          </span>
          {customStatus !== '' && (
            <span className="member-status" dir="auto">
              {customStatus}
            </span>
          )}
        </span>
      </button>
    </li>
  )
})

function TimedOutMark({ member }: Pick<MemberRowProps, 'member'>) {
  if (useTimeoutEnd(member) === null) return null
  return (
    <>
      <Clock aria-hidden="true" />
      <span className="visually-hidden">{`, ${t('timed out')}`}</span>
    </>
  )
}

interface LoadingRowProps extends RowPosition {
  isTabStop: boolean
}

/** A placeholder for a member who is not loaded yet. */
export const LoadingRow = memo(function LoadingRow({
  index,
  position,
  size,
  top,
  isTabStop,
}: LoadingRowProps) {
  return (
    <li className="member-slot" style={{ top: `${top}rem` }} aria-posinset={position} aria-setsize={size}>
      <button
        type="button"
        className="member"
        aria-disabled="true"
        tabIndex={isTabStop ? 0 : -1}
        data-place={index}
      >
        <span className="member-bone member-bone-face" />
        <span className="member-bone" style={{ width: `${35 + ((index * 37) % 40)}%` }} />
        <span className="visually-hidden">{t('Loading…')}</span>
      </button>
    </li>
  )
})
