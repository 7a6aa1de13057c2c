import { useMemo } from 'react'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { ProfileCard, type ProfileCardProps } from './profile-card.tsx'
import './profile-cards.css'

interface ProfilePopupProps extends ProfileCardProps {
  side: 'inline-start' | 'inline-end' | 'bottom'
  popup: PopupAnchor
}

/** A user's profile card, next to the element that opened it. */
export function ProfilePopup({ side, popup, ...card }: ProfilePopupProps) {
  const place = useMemo(() => placeOf(popup.anchor), [popup.anchor])
  return (
    <PopupPanel popup={popup} place={place} className="profile-card" side={side}>
      <ProfileCard key={card.userId} {...card} />
    </PopupPanel>
  )
}

/** Returns a virtual element that follows the anchor. Once the anchor is unmounted, it stays at the anchor's last position. */
function placeOf(anchor: PopupAnchor['anchor']) {
  let last = new DOMRect()
  return {
    getBoundingClientRect: () => {
      if (anchor.current?.isConnected === true) last = anchor.current.getBoundingClientRect()
      return last
    },
  }
}
