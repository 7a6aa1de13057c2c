import type { MemberWithUser } from '@foyer/protocol/members'
import { Crown } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { nameColors } from '#src/roles/role-color.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'

interface MemberNameProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
}

/** Avatar, name and username of a member in a list. */
export function MemberName({ space, member, name }: MemberNameProps) {
  return (
    <span className="settings-person">
      <Avatar id={member.id} name={name} picture={member.user.avatar} />
      <span className="settings-names">
        <span className="settings-name">
          <ColoredName colors={nameColors(space.roles, member.roles)}>{name}</ColoredName>
          {member.user.is_bot && <BotBadge />}
          {member.id === space.owner_id && (
            <>
              <Crown aria-hidden="true" />
              <span className="visually-hidden">{`, ${t('owner')}`}</span>
            </>
          )}
        </span>
        <span className="settings-note">@{member.user.username}</span>
      </span>
    </span>
  )
}
