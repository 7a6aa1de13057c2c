import type { MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'
import { UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { isAssignable } from '#src/members/actions/assignable-roles.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import type { Rights } from '#src/permissions/rights.ts'
import { roleName } from '#src/roles/role-name.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'

interface RoleMembersProps {
  space: SpaceEntry
  role: Role
  rights: Rights
}

/** The members with the role, and controls to assign or remove it. */
export function RoleMembers({ space, role, rights }: RoleMembersProps) {
  const { client } = useSession()
  const [isAdding, setIsAdding] = useState(false)
  const action = useAction()
  const mayAssign = isAssignable(role, rights)
  const has = ({ roles }: MemberWithUser) => roles.includes(role.id)
  const take = (memberId: string) => action.run(() => client.roles.remove(space.id, memberId, role.id))

  return (
    <>
      <div className="settings-line">
        <p>{t('Members with this role get its permissions.')}</p>
        {mayAssign && (
          <Button look="primary" onClick={() => setIsAdding(true)}>
            <UserPlus aria-hidden="true" /> {t('Add members')}
          </Button>
        )}
      </div>
      <MemberFinder
        space={space}
        accepts={has}
        label={t('Search members with this role')}
        nobody={t('No members have this role yet.')}
      >
        {(member, name) => (
          <li key={member.id} className="settings-row">
            <MemberName space={space} member={member} name={name} />
            {mayAssign && (
              <IconButton
                label={t('Remove {role} from {name}', { role: role.name, name })}
                icon={<UserMinus />}
                onClick={() => take(member.id)}
              />
            )}
          </li>
        )}
      </MemberFinder>
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
      {isAdding && <AddMembers space={space} role={role} onClose={() => setIsAdding(false)} />}
    </>
  )
}

interface AddMembersProps {
  space: SpaceEntry
  role: Role
  onClose: () => void
}

/** The dialog to add members. It stays open, so that the user can add several. */
function AddMembers({ space, role, onClose }: AddMembersProps) {
  const { client } = useSession()
  const action = useAction()
  const give = (memberId: string) => action.run(() => client.roles.assign(space.id, memberId, role.id))

  return (
    <Modal open onOpenChange={onClose} title={t('Add members to {role}', { role: roleName(role) })}>
      <MemberFinder
        space={space}
        accepts={({ roles }) => !roles.includes(role.id)}
        nobody={t('All members already have this role.')}
      >
        {(member, name) => (
          <li key={member.id}>
            <button type="button" className="person-choice" onClick={() => give(member.id)}>
              <MemberName space={space} member={member} name={name} />
            </button>
          </li>
        )}
      </MemberFinder>
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </Modal>
  )
}
