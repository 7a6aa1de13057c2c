import type { VoiceState } from '@foyer/protocol/voice'
import type { ReactNode } from 'react'
import { useAppState } from '#src/session/context.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'

const PersonCardPopup = lazyPopup(() =>
  import('./person-card-popup.tsx').then((module) => module.PersonCardPopup),
)

interface PersonCardProps {
  voice: VoiceState
  name: string
  className: string
  side: 'inline-end' | 'top'
  /** Content of the button that opens the card. */
  children: ReactNode
}

/** Popup for a user in voice, with their volume, and with moderation for members who may moderate them. */
export function PersonCard({ voice, name, className, side, children }: PersonCardProps) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  const isMe = useAppState((state) => state.me?.id === voice.user_id)
  if (isMe) return <div className={className}>{children}</div>
  return (
    <>
      <button type="button" {...trigger} className={className}>
        {children}
      </button>
      {isWanted && <PersonCardPopup voice={voice} name={name} side={side} popup={popup} />}
    </>
  )
}
