import { t } from '#src/language/texts.ts'
import { ReasonField } from '#src/members/actions/reason-field.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { operatorWords } from './words.ts'

interface ReasonDialogProps {
  title: string
  /** Consequences of the action. */
  description: string
  /** Label of the button. */
  action: string
  /** Runs the action. If it succeeds, the dialog closes. */
  run: (reason: string | null) => Promise<void>
  onClose: () => void
}

/** Confirms an action, with a reason for the other administrators. */
export function ReasonDialog({ title, description, action, run, onClose }: ReasonDialogProps) {
  async function submit({ reason = '' }: Values) {
    await run(reason.trim() || null)
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={title} description={description}>
      <SubmitForm fields={['reason']} submit={submit} words={operatorWords}>
        {(pending) => (
          <>
            <ReasonField
              reason={null}
              hint={t('Optional. Only administrators of this server see it, in the log.')}
            />
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
