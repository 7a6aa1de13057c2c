import type { MemberWithUser } from '@foyer/protocol/members'
import type { Room } from '@foyer/protocol/rooms'
import { Check, X } from 'lucide-react'
import { overwritesOf, subjectOf } from '#src/permissions/rights.ts'
import { PermissionGroups } from '#src/roles/role-permissions.tsx'
import type { SpaceEntry } from '#src/store/state.ts'
import { roleNamesIn } from '../permissions/target.ts'
import { reasonText } from '../reasons.ts'
import { countsIn, explainHere, isSpaceWide } from '../space-wide.ts'

interface ExplainedPermissionsProps {
  space: SpaceEntry
  room: Room
  member: MemberWithUser
  name: string
}

/** Lists every permission with the reason why the member has or lacks it in the room. */
export function ExplainedPermissions({ space, room, member, name }: ExplainedPermissionsProps) {
  const subject = subjectOf(space, member)
  const overwrites = overwritesOf(space, room.id)
  const roleNames = roleNamesIn(space)
  return (
    <PermissionGroups shows={(right) => isSpaceWide(right) || countsIn(room.type, right)}>
      {({ label, name: right }) => {
        const explanation = explainHere(subject, overwrites, right)
        const { allowed, needsView } = explanation
        return (
          <div className="switch-row">
            <span className="switch-texts">
              <span className="switch-label">{label}</span>
              <span className="switch-description">{reasonText(explanation, { name, roleNames })}</span>
            </span>
            {/* Hidden from screen readers, because the sentence contains it. */}
            <span
              className="permission-state"
              aria-hidden="true"
              data-on={(allowed && !needsView) || undefined}
            >
              {allowed ? <Check /> : <X />}
            </span>
          </div>
        )
      }}
    </PermissionGroups>
  )
}
