import type { Application } from '@foyer/protocol/applications'
import { limits } from '@foyer/protocol/limits'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'

export const applicationFields = ['name', 'description', 'bot_public'] as const

/** Name, description and visibility, for creating and editing an application. */
export function ApplicationFields({ application }: { application?: Application }) {
  const [isPublic, setIsPublic] = useState(application?.bot_public ?? true)
  return (
    <>
      <TextField
        name="name"
        label={t('Name')}
        defaultValue={application?.name}
        placeholder={t('e.g. Weather')}
        autoComplete="off"
        maxLength={limits.nameMax}
      />
      <TextField
        name="description"
        label={t('Description')}
        hint={t('Optional. Shown when people add the bot.')}
        defaultValue={application?.description ?? ''}
        autoComplete="off"
        maxLength={limits.descriptionMax}
      />
      <SwitchRow
        label={t('Public bot')}
        description={t(
          'Anyone with the link can add it to spaces they manage. When this is off, no one can add it.',
        )}
        checked={isPublic}
        onChange={setIsPublic}
      />
      <input type="hidden" name="bot_public" value={isPublic ? 'on' : ''} />
    </>
  )
}

export function checkApplication(values: Values): FormErrors {
  return checkGiven(values, 'name', t('Give your application a name.'))
}

/** Converts the values of the fields to a request body. */
export function readApplication({ name = '', description = '', bot_public = '' }: Values) {
  return { name: name.trim(), description: description.trim() || null, bot_public: bot_public !== '' }
}
