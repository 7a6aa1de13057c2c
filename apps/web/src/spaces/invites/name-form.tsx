import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

const NAME = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/

const words = { name_taken: t('Another invite on this server already has this name.') }

/** Gives the link a name that people can remember and type. */
export function NameForm({ setName }: { setName: (name: string) => Promise<void> }) {
  return (
    <SubmitForm
      fields={['name']}
      words={words}
      check={checkName}
      submit={({ name = '' }) => setName(normalized(name))}
    >
      {(pending) => (
        <div className="field-and-button">
          <TextField
            name="name"
            label={t('Link name')}
            hint={t('Optional. The link will end with this name: {example}', {
              example: `${window.location.host}/invite/hikers`,
            })}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={32}
          />
          <Button type="submit" disabled={pending}>
            {t('Use name')}
          </Button>
        </div>
      )}
    </SubmitForm>
  )
}

function normalized(name: string): string {
  return name.trim().toLowerCase()
}

function checkName({ name = '' }: Values): FormErrors {
  if (NAME.test(normalized(name))) return {}
  return { name: t('Use 3 to 32 letters (a–z), digits and hyphens.') }
}
