import { AtSign } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useOpenDialog } from '#src/ui/dialog-outlet.tsx'
import { Hint } from '#src/ui/icon-button.tsx'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'

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
