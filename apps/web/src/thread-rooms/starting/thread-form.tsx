import { limits, MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { type StartedFrom, useStartThread } from './use-start-thread.ts'

interface ThreadFormProps extends StartedFrom {
  /** Title at first. */
  title?: string
  /** Called once the thread exists, before its page opens. */
  onDone: () => void
  onCancel: () => void
}

/** Title and first message of a new thread. */
export function ThreadForm({ title = '', onDone, onCancel, ...from }: ThreadFormProps) {
  const start = useStartThread(from, onDone)
  const submit = ({ title: named = '', content = '' }: Values) => start(named.trim(), content.trim())
  return (
    <SubmitForm
      fields={['title', 'content']}
      check={(values) => checkGiven(values, 'title', t('Enter a title.'))}
      submit={submit}
      beginsHere
    >
      {(pending) => (
        <>
          <TextField
            name="title"
            label={t('Title')}
            autoComplete="off"
            maxLength={MAX_THREAD_TITLE_CHARACTERS}
            defaultValue={title}
            placeholder={t('e.g. Route for Sunday')}
          />
          <TextField
            name="content"
            label={t('First message (optional)')}
            maxLength={limits.messageMax}
            render={<textarea rows={3} />}
          />
          <div className="form-actions">
            <Button onClick={onCancel}>{t('Cancel')}</Button>
            <Button type="submit" look="primary" pending={pending}>
              {t('Start thread')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
