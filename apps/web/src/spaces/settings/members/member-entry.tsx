import { useAction } from '#src/ui/fields/use-action.ts'
import type { ListedMember } from './listed-member.ts'
import { MemberActions } from './member-actions.tsx'
import { MemberName } from './member-name.tsx'
import { MemberRoles } from './member-roles.tsx'

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
