import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import { backTo } from '#src/ui/popups/back-to.ts'
import '#src/ui/dialogs/modal.css'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { EmojiPicker, type EmojiPickerProps } from './emoji-picker.tsx'
import './emoji-popover.css'

interface EmojiPopupProps extends EmojiPickerProps {
  popup: PopupAnchor
  /** Number of times the popup was opened. As a key it resets the search, even while the popup still fades out. */
  times: number
}

/** Returns the search field for the first focus. On touch devices, where it would open the keyboard, returns true, the default. */
function begin(): HTMLElement | boolean {
  if (isTouch()) return true
  return document.querySelector<HTMLElement>('.emoji-picker input') ?? true
}

/** The picker in a popover next to its button, or on a phone in a bottom sheet. */
export function EmojiPopup({ popup, times, ...props }: EmojiPopupProps) {
  const isWide = useMediaQuery(WIDE)
  const sheet = useRef<HTMLDivElement>(null)
  const picker = <EmojiPicker key={times} {...props} />
  if (isWide)
    return (
      <PopupPanel
        popup={popup}
        label={t('Emoji')}
        className="emoji-popover"
        side="top"
        align="end"
        initialFocus={begin}
      >
        {picker}
      </PopupPanel>
    )
  return (
    <Dialog.Root open={popup.open} onOpenChange={popup.onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop" />
        <Dialog.Popup
          className="emoji-sheet"
          aria-label={t('Emoji')}
          initialFocus={begin}
          ref={sheet}
          finalFocus={() => backTo(popup.anchor, sheet)}
        >
          {picker}
          <Dialog.Close className="visually-hidden">{t('Close')}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
