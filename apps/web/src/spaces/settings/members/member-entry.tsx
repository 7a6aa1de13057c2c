import { MemberRoles } from '#src/members/actions/member-roles.tsx'
import type { ListedMember } from '#src/members/listed-member.ts'
import { MemberName } from '#src/members/member-name.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { MemberActions } from './member-actions.tsx'

export function MemberEntry(props: ListedMember) {
  const { space, member, name } = props
  const action = useAction()
  return (
    <li className="settings-row">
      <MemberName space={space} member={member} name={name} />
      <MemberRoles {...props} action={action} />
      <MemberActions {...props} action={action} />
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </li>
  )
}
