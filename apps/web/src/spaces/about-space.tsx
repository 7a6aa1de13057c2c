import { counted, t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import './about-space.css'

interface AboutSpaceProps {
  space: SpaceEntry
  onClose: () => void
}

/** The full description of a space. */
export function AboutSpace({ space, onClose }: AboutSpaceProps) {
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('About {name}', { name: space.name })}
      description={counted(space.member_count, '{count} member', '{count} members')}
    >
      <p className="space-about" dir="auto">
        {space.description}
      </p>
    </Modal>
  )
}
