import type { MemberWithUser } from '@foyer/protocol/members'
import type { Report } from '@foyer/protocol/reports'
import type { User } from '@foyer/protocol/users'
import { ApiError } from '@foyer/sdk/rest'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { BanDialog } from '#src/members/actions/ban-dialog.tsx'
import { MemberActionDialog } from '#src/members/actions/member-action-dialog.tsx'
import {
  actionLooks,
  type MemberAction,
  useMemberActions,
  useOutsiderActions,
} from '#src/members/actions/member-menu.tsx'
import { useNames } from '#src/members/use-names.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

interface AuthorStepsProps {
  space: SpaceEntry
  report: Report
  /** Id of the element that names the report. */
  titleId: string
  focusAfter: RefObject<HTMLElement | null>
}

/** Lets the viewer time out, kick or ban the author. Requests the author's membership once the viewer opens these actions. */
export function AuthorSteps({ space, report, titleId, focusAfter }: AuthorStepsProps) {
  const { client } = useSession()
  const rights = usePermissions(space.id)
  const { pending, error, run } = useAction()
  const [member, setMember] = useState<MemberWithUser | 'none' | null>(null)
  const author = report.copy.messages.find(({ id }) => id === report.target_id)?.author
  const name = useNames(space.id)
  const mayAct = (['TimeoutMembers', 'KickMembers', 'BanMembers'] as const).some((right) => rights.may(right))
  if (author === undefined || report.user_id === null || !mayAct) return null

  async function find(userId: string) {
    setMember(await client.members.get(space.id, userId).catch(noneIfMissing))
  }

  if (member === null) {
    return (
      <>
        <Button pending={pending} aria-describedby={titleId} onClick={() => run(() => find(author.id))}>
          {t('Moderate {name}…', { name: name(author) })}
        </Button>
        <ErrorLine message={error} />
      </>
    )
  }
  return (
    <FocusedSteps>
      {member === 'none' ? (
        <OutsiderSteps space={space} user={author} name={name(author)} />
      ) : (
        <MemberSteps space={space} member={member} name={name(author)} focusAfter={focusAfter} />
      )}
    </FocusedSteps>
  )
}

/** Takes the focus of the button that it replaces. */
function FocusedSteps({ children }: { children: ReactNode }) {
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => group.current?.focus(), [])
  return (
    <fieldset ref={group} tabIndex={-1} className="report-buttons">
      {children}
    </fieldset>
  )
}

interface MemberStepsProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  focusAfter: RefObject<HTMLElement | null>
}

function MemberSteps({ space, member, name, focusAfter }: MemberStepsProps) {
  const actions = useMemberActions(member, usePermissions(space.id)).filter((one) => one !== 'nickname')
  const [chosen, setChosen] = useState<MemberAction | null>(null)
  if (actions.length === 0)
    return <span className="settings-note">{t('You can’t moderate {name}.', { name })}</span>
  return (
    <>
      {actions.map((action) => (
        <Button key={action} onClick={() => setChosen(action)}>
          {actionLooks[action].label}
        </Button>
      ))}
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

function OutsiderSteps({ space, user, name }: { space: SpaceEntry; user: User; name: string }) {
  const actions = useOutsiderActions(user, space.id)
  const [isBanning, setIsBanning] = useState(false)
  return (
    <>
      <span className="settings-note">{t('{name} is no longer a member.', { name })}</span>
      {actions.includes('ban') && <Button onClick={() => setIsBanning(true)}>{t('Ban')}</Button>}
      {isBanning && (
        <BanDialog
          space={space}
          userId={user.id}
          isMember={false}
          name={name}
          onClose={() => setIsBanning(false)}
        />
      )}
    </>
  )
}

function noneIfMissing(error: unknown): 'none' {
  if (error instanceof ApiError && error.status === 404) return 'none'
  throw error
}
