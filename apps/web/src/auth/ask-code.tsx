import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { checkGiven } from './check.ts'
import { CodeField } from './code-field.tsx'

interface AskCodeProps {
  /** Label of the button. */
  action: string
  /** Runs with the code. The dialog closes by itself when it succeeds. */
  run: (code: string) => Promise<void>
  onClose: () => void
}

/** Asks for a code before an action that needs one. */
export function AskCode({ action, run, onClose }: AskCodeProps) {
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Confirm it’s you')}
      description={t('Your account is protected by a second step.')}
    >
      <SubmitForm
        fields={['code']}
        check={(values) => checkGiven(values, 'code', t('Enter a code.'))}
        submit={async ({ code = '' }) => {
          await run(code.trim())
          onClose()
        }}
      >
        {(pending) => (
          <>
            <CodeField />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {action}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
