import { AtSign } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/icon-button.tsx'
import { lazyPopup, useWanted } from '#src/ui/lazy-popup.tsx'

const MentionsDialog = lazyPopup(() =>
  import('./mentions-dialog.tsx').then((module) => module.MentionsDialog),
)

/** Among the spaces: what was said to one in all of them. */
export function MentionsButton() {
  const [open, setOpen] = useState(false)
  const isWanted = useWanted(open)
  return (
    <>
      <Hint label={t('Mentions')} side="inline-end">
        <button
          type="button"
          className="rail-icon"
          aria-label={t('Mentions')}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <AtSign aria-hidden="true" />
        </button>
      </Hint>
      {isWanted && <MentionsDialog open={open} onOpenChange={setOpen} />}
    </>
  )
}
