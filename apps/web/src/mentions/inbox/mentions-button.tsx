import { AtSign } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

const MentionsDialog = lazyPopup(() =>
  import('./mentions-dialog.tsx').then((module) => module.MentionsDialog),
)

/** Opens the mentions from all spaces, in the space rail. */
export function MentionsButton() {
  const openDialog = useOpenDialog()
  return (
    <Hint label={t('Mentions')} side="inline-end">
      <button
        type="button"
        className="rail-icon"
        aria-label={t('Mentions')}
        aria-haspopup="dialog"
        onClick={() => openDialog((close) => <MentionsDialog onClose={close} />)}
      >
        <AtSign aria-hidden="true" />
      </button>
    </Hint>
  )
}
