import { useState } from 'react'
import { assignableRoles } from '#src/members/actions/assignable-roles.ts'
import { MemberActionDialog } from '#src/members/actions/member-action-dialog.tsx'
import { type MemberAction, MemberMenu, useMemberActions } from '#src/members/actions/member-menu.tsx'
import { RolesSubmenu } from '#src/members/actions/roles-submenu.tsx'
import type { ListedMember } from '#src/members/listed-member.ts'
import type { Action } from '#src/ui/fields/use-action.ts'

/** A menu of the actions that the viewer may take on a listed member. */
export function MemberActions({ action, ...listed }: ListedMember & { action: Action }) {
  const { space, member, name, rights, focusAfter } = listed
  const actions = useMemberActions(member, rights)
  const [chosen, setChosen] = useState<MemberAction | null>(null)
  return (
    <>
      <MemberMenu actions={actions} name={name} onChoose={setChosen}>
        {assignableRoles(space, rights).length > 0 && <RolesSubmenu {...listed} action={action} />}
      </MemberMenu>
      {chosen !== null && (
        <MemberActionDialog
          action={chosen}
          space={space}
          member={member}
          name={name}
          onClose={() => setChosen(null)}
          focusAfter={focusAfter}
        />
      )}
    </>
  )
}
