import { useState } from 'react'
import type { Action } from '#src/ui/use-action.ts'
import { assignableRoles } from './assignable-roles.ts'
import type { ListedMember } from './listed-member.ts'
import { MemberDeedDialog } from './member-deed-dialog.tsx'
import { type MemberDeed, MemberMenu, useMemberDeeds } from './member-menu.tsx'
import { RolesSubmenu } from './roles-submenu.tsx'

/** What the reader may do about a member of the list. */
export function MemberActions({ action, ...listed }: ListedMember & { action: Action }) {
  const { space, member, name, rights, focusAfter } = listed
  const deeds = useMemberDeeds(member, rights)
  const [deed, setDeed] = useState<MemberDeed | null>(null)
  return (
    <>
      <MemberMenu deeds={deeds} name={name} onChoose={setDeed}>
        {assignableRoles(space, rights).length > 0 && <RolesSubmenu {...listed} action={action} />}
      </MemberMenu>
      {deed !== null && (
        <MemberDeedDialog
          deed={deed}
          space={space}
          member={member}
          name={name}
          onClose={() => setDeed(null)}
          focusAfter={focusAfter}
        />
      )}
    </>
  )
}
