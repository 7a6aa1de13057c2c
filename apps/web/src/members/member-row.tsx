import type { Role } from '@foyer/protocol/roles'
import type { ListedMember } from '@foyer/sdk/member-list'
import { Crown } from 'lucide-react'
import { memo } from 'react'
import { useProfileHandlers } from '#src/friends/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { PresenceWords } from '#src/presence/presence-mark.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { nameColors } from '#src/roles/role-color.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { BotBadge } from '#src/ui/bot-badge.tsx'

/** Where a row stands. */
export interface RowPlace {
  /** In the whole list, counted from 0. */
  readonly place: number
  /** In its group, counted from 1, and of how many. */
  readonly position: number
  readonly size: number
  /** In rem, from the group's first row. */
  readonly top: number
}

interface MemberRowProps extends RowPlace {
  member: ListedMember['member']
  said: string
  isOffline: boolean
  name: string
  /** Those of the space. */
  roles: readonly Role[]
  isOwner: boolean
  isTabStop: boolean
}

/** A member in the list; the card about them is behind it. */
export const MemberRow = memo(function MemberRow(props: MemberRowProps) {
  const { member, said, isOffline, name, roles, isOwner, isTabStop, place, position, size, top } = props
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
        data-place={place}
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
          </span>
          {said !== '' && (
            <span className="member-status" dir="auto">
              {said}
            </span>
          )}
        </span>
      </button>
    </li>
  )
})

interface MissingRowProps extends RowPlace {
  isTabStop: boolean
}

/** The place of somebody who has not come yet. */
export const MissingRow = memo(function MissingRow({
  place,
  position,
  size,
  top,
  isTabStop,
}: MissingRowProps) {
  return (
    <li className="member-slot" style={{ top: `${top}rem` }} aria-posinset={position} aria-setsize={size}>
      <button
        type="button"
        className="member"
        aria-disabled="true"
        tabIndex={isTabStop ? 0 : -1}
        data-place={place}
      >
        <span className="member-bone member-bone-face" />
        <span className="member-bone" style={{ width: `${35 + ((place * 37) % 40)}%` }} />
        <span className="visually-hidden">{t('Loading…')}</span>
      </button>
    </li>
  )
})
