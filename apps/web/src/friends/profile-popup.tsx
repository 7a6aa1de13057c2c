import { useMemo } from 'react'
import { PopupPanel } from '#src/ui/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/use-popup.ts'
import { ProfileCard, type ProfileCardProps } from './profile-card.tsx'
import './profile-cards.css'

interface ProfilePopupProps extends ProfileCardProps {
  side: 'inline-start' | 'inline-end' | 'bottom'
  popup: PopupAnchor
}

/** The card about somebody, beside what was pressed. */
export function ProfilePopup({ side, popup, ...card }: ProfilePopupProps) {
  const place = useMemo(() => placeOf(popup.anchor), [popup.anchor])
  return (
    <PopupPanel popup={popup} place={place} className="profile-card" side={side}>
      <ProfileCard key={card.userId} {...card} />
    </PopupPanel>
  )
}

/** Beside the row of somebody, wherever it moves; where it was, once it is not drawn any more. */
function placeOf(anchor: PopupAnchor['anchor']) {
  let last = new DOMRect()
  return {
    getBoundingClientRect: () => {
      if (anchor.current?.isConnected === true) last = anchor.current.getBoundingClientRect()
      return last
    },
  }
}
