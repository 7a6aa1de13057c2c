import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { CloseDoorForm } from './close-door-form.tsx'

interface CloseDoorDialogProps {
  space: SpaceEntry
  onClose: () => void
}

export function CloseDoorDialog({ space, onClose }: CloseDoorDialogProps) {
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Close the door of {name}?', { name: space.name })}
      description={t(
        'People with an invite wait until a moderator lets them in. In a raid, make recent members wait, too. You can then remove them and everything they wrote.',
      )}
    >
      <CloseDoorForm
        spaceId={space.id}
        cancel={<Button onClick={onClose}>{t('Cancel')}</Button>}
        onClosed={onClose}
      />
    </Modal>
  )
}
