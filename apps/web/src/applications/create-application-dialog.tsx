import type { CreateApplicationResult } from '@foyer/protocol/applications'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import {
  ApplicationFields,
  applicationFields,
  checkApplication,
  readApplication,
} from './application-fields.tsx'

interface CreateApplicationDialogProps {
  onClose: () => void
  onCreated: (result: CreateApplicationResult) => void
}

export function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const { client } = useSession()

  async function create(values: Values) {
    onCreated(await client.applications.create(readApplication(values)))
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title="Create an application"
      description="It comes with a bot, whose token you see in the next step."
    >
      <SubmitForm fields={applicationFields} check={checkApplication} submit={create}>
        {(pending) => (
          <>
            <ApplicationFields />
            <div className="form-actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" pending={pending}>
                Create application
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
