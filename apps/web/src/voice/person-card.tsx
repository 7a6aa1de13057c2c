import type { VoiceState } from '@foyer/protocol/voice'
import type { ReactNode } from 'react'
import { useAppState } from '#src/session/context.ts'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import { usePopup } from '#src/ui/use-popup.ts'

const PersonCardPopup = lazyPopup(() =>
  import('./person-card-popup.tsx').then((module) => module.PersonCardPopup),
)

interface PersonCardProps {
  voice: VoiceState
  name: string
  className: string
  side: 'inline-end' | 'top'
  /** What one presses to open it. */
  children: ReactNode
}

/** What one can do about somebody in a voice room or call: how loud they are, and whether they may be there at all. */
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
