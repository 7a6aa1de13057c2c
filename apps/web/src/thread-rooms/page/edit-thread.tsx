import { MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { threadWords } from '../names/thread-words.ts'
import { changeThread } from './changes.ts'

const quietTimes = [
  ['60', t('1 hour')],
  ['1440', t('1 day')],
  ['4320', t('3 days')],
  ['10080', t('1 week')],
  ['0', t('Never')],
] as const

/** Changes the title of a thread, and the time after which it sleeps. */
export function EditThread({ entry, onClose }: { entry: ThreadEntry; onClose: () => void }) {
  const session = useSession()
  const [quiet, setQuiet] = useState(String(entry.thread.quiet_minutes))

  async function save({ title = '' }: Values) {
    await changeThread(session, entry.id, { title: title.trim(), quiet_minutes: Number(quiet) })
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={threadWords(entry.thread).edit}>
      <SubmitForm
        fields={['title']}
        check={(values) => checkGiven(values, 'title', t('Enter a title.'))}
        submit={save}
      >
        {(pending) => (
          <>
            <TextField
              name="title"
              label={t('Title')}
              defaultValue={entry.name}
              autoComplete="off"
              maxLength={MAX_THREAD_TITLE_CHARACTERS}
            />
            <SelectField
              name="quiet_minutes"
              label={t('Sleep after inactivity')}
              options={quietTimes}
              value={quiet}
              onChange={setQuiet}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Save')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
