import { limits } from '@foyer/protocol/limits'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { RolePermissions } from '#src/roles/role-permissions.tsx'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { ColorsField } from './colors-field.tsx'
import { emptyDraft, type RoleDraft, type RoleValues, withDraft, withPermission } from './role-draft.ts'

interface RoleFormProps {
  saved: RoleValues
  draft: RoleDraft
  onChange: (draft: RoleDraft) => void
  save: () => Promise<void>
  isUnsaved: boolean
  /** Rights of the viewer. */
  rights: Rights
  /** True for @everyone, which has no name, colours or separate heading to edit. */
  isEveryone: boolean
  /** True if the name field is focused initially. */
  beginsHere?: boolean
}

export function RoleForm(props: RoleFormProps) {
  const { saved, draft, onChange, save, isUnsaved, rights, isEveryone, beginsHere = false } = props
  const values = withDraft(saved, draft)
  return (
    <SubmitForm
      fields={isEveryone ? [] : ['name']}
      check={(fields) => (isEveryone ? {} : checkGiven(fields, 'name', t('Enter a role name.')))}
      submit={save}
      beginsHere={beginsHere}
    >
      {(pending) => (
        <>
          {!isEveryone && (
            <>
              <TextField
                name="name"
                label={t('Role name')}
                autoComplete="off"
                maxLength={limits.nameMax}
                value={values.name}
                onValueChange={(name) => onChange({ ...draft, name })}
              />
              <ColorsField colors={values.colors} onChange={(colors) => onChange({ ...draft, colors })} />
              <SwitchRow
                label={t('Show separately')}
                description={t('List members with this role under its own heading.')}
                checked={values.hoisted}
                onChange={(hoisted) => onChange({ ...draft, hoisted })}
              />
            </>
          )}
          <RolePermissions
            saved={saved.rights}
            flags={values.rights}
            held={rights.flags}
            onSwitch={(name, isOn) => onChange(withPermission(draft, name, isOn))}
          />
          <SaveBar isUnsaved={isUnsaved} pending={pending} onReset={() => onChange(emptyDraft)} />
        </>
      )}
    </SubmitForm>
  )
}
