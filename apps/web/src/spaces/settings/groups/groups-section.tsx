import type { GroupRole } from '@foyer/protocol/group-roles'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { t } from '#src/language/texts.ts'
import { roleName } from '#src/roles/role-name.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { AddGroup } from './add-group.tsx'

/** The groups of sign-in providers whose members have a role of the space, and a form to add more. */
export function GroupsSection({ space }: { space: SpaceEntry }) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.api(GroupRoles).list(space.id, options),
    [space.id],
  )
  const { answer, again } = useAnswer(ask)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  return (
    <>
      <p>
        {t(
          'Members get these roles when they sign in with the provider, and lose them when they’re no longer in the group. Other roles stay.',
        )}
      </p>
      <AddGroup space={space} onAdded={again} />
      {answer.value.length === 0 ? (
        <p className="settings-note">{t('No groups yet.')}</p>
      ) : (
        <ul className="settings-list">
          {answer.value.map((each) => (
            <GroupRow key={each.id} space={space} groupRole={each} onRemoved={again} />
          ))}
        </ul>
      )}
    </>
  )
}

interface GroupRowProps {
  space: SpaceEntry
  groupRole: GroupRole
  onRemoved: () => void
}

function GroupRow({
  space,
  groupRole: { id, group, role_id, provider, is_working },
  onRemoved,
}: GroupRowProps) {
  const { client } = useSession()
  const action = useAction()
  const role = space.roles.find((each) => each.id === role_id)

  async function remove() {
    await client.api(GroupRoles).delete(space.id, id)
    onRemoved()
  }

  return (
    <li className="settings-row">
      <p className="settings-names">
        <span className="settings-name">
          <bdi>{group}</bdi>
        </span>
        <span className="settings-note">
          {t('Role: {role}', { role: role === undefined ? t('Deleted role') : roleName(role) })} ·{' '}
          {provider === null ? t('This server no longer offers this provider.') : <bdi>{provider.name}</bdi>}
          {!is_working &&
            provider !== null &&
            ` · ${t('Paused. The person who added this group can no longer assign this role, or this server doesn’t allow the group. Add it again.')}`}
        </span>
      </p>
      <Button
        aria-label={t('Remove {name}', { name: group })}
        pending={action.pending}
        onClick={() => action.run(remove)}
      >
        {t('Remove')}
      </Button>
      <ErrorLine message={action.error} />
    </li>
  )
}
