import { GroupRoles } from '@foyer/sdk/api/group-roles'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { useInstance } from '#src/auth/use-instance.ts'
import { t } from '#src/language/texts.ts'
import { assignableRoles } from '#src/members/actions/assignable-roles.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { roleName } from '#src/roles/role-name.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

const MAX_GROUP_LENGTH = 512

/** A form that assigns a role to the members of a provider's group. It offers the roles that the user may assign. */
export function AddGroup({ space, onAdded }: { space: SpaceEntry; onAdded: () => void }) {
  const { client } = useSession()
  const providers = useInstance()?.login.providers ?? []
  const roles = assignableRoles(space, usePermissions(space.id))
  /** Number of added groups. It is the form's key, so that the form is empty again after each group. */
  const [added, setAdded] = useState(0)
  if (roles.length === 0) return <p className="settings-note">{t('There are no roles you can assign.')}</p>

  async function add({ provider = '', group = '', role_id = '' }: Values) {
    await client.api(GroupRoles).create(space.id, { provider, group: group.trim(), role_id })
    setAdded((count) => count + 1)
    onAdded()
  }

  return (
    <SubmitForm
      key={added}
      fields={['provider', 'group', 'role_id']}
      check={(values) => checkGiven(values, 'group', t('Enter the name of a group.'))}
      submit={add}
    >
      {(pending) => (
        <>
          <SelectField
            name="provider"
            label={t('Sign-in provider')}
            options={providers.map(({ id, name }) => [id, name] as const)}
          />
          <TextField
            name="group"
            label={t('Group')}
            hint={t('The exact name that the provider uses.')}
            maxLength={MAX_GROUP_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <SelectField
            name="role_id"
            label={t('Role')}
            options={roles.map((role) => [role.id, roleName(role)] as const)}
          />
          <div className="form-actions">
            <Button type="submit" look="primary" pending={pending}>
              {t('Add group')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
