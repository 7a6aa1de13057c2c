import type { CurrentUser } from '@foyer/protocol/users'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { phoneNumber } from './phone-number.ts'

const FIRST_BIRTHDATE = '1900-01-01'

/** Birthday and phone number, which no other user ever sees. */
export function PersonalDetails({ me }: { me: CurrentUser }) {
  const { client, store } = useSession()
  const birthday = useRef<HTMLInputElement>(null)
  const [isSaved, setIsSaved] = useState(false)

  function check({ phone = '' }: Values): FormErrors {
    // The browser reports an incomplete date as empty, which would delete the saved one.
    const isIncomplete = birthday.current?.validity.badInput === true
    return {
      ...(isIncomplete && { birthdate: t('Enter the full date or leave it empty.') }),
      ...(isWrong(phone) && { phone: t('Include the country code, like +49 30 1234567.') }),
    }
  }

  async function save({ birthdate = '', phone = '' }: Values) {
    setIsSaved(false)
    const user = await client.users.updateMe({ birthdate: birthdate || null, phone: phoneNumber(phone) })
    store.adopt('USER_UPDATE', user)
    setIsSaved(true)
  }

  return (
    <SubmitForm fields={['birthdate', 'phone']} check={check} submit={save} guardsChanges>
      {(pending) => (
        <>
          <TextField
            ref={birthday}
            name="birthdate"
            label={t('Birthday')}
            type="date"
            autoComplete="bday"
            min={FIRST_BIRTHDATE}
            max={new Date().toISOString().slice(0, 10)}
            defaultValue={me.birthdate ?? ''}
          />
          <TextField
            name="phone"
            label={t('Phone number')}
            type="tel"
            dir="ltr"
            autoComplete="tel"
            hint={t('With country code, like +49 30 1234567.')}
            defaultValue={me.phone ?? ''}
          />
          <div className="form-actions">
            <span role="status" className="settings-note">
              {isSaved && !pending && t('Saved.')}
            </span>
            <Button type="submit" pending={pending}>
              {t('Save details')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}

function isWrong(phone: string): boolean {
  return phone.trim() !== '' && phoneNumber(phone) === null
}
