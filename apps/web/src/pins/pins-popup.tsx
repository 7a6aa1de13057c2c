import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { PopupPanel } from '#src/ui/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/use-popup.ts'
import './pins-button.css'

/** What was pinned, below the button. */
export function PinsPopup({ popup, children }: { popup: PopupAnchor; children: ReactNode }) {
  return (
    <PopupPanel popup={popup} label={t('Pinned messages')} className="pins-popover" side="bottom" align="end">
      {children}
    </PopupPanel>
  )
}
