import { Popover } from '@base-ui/react/popover'
import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import { lazyComponent } from '#src/ui/lazy.tsx'
import '#src/ui/menu.css'
import { type EndedPerson, EndFriendship } from './end-friendship.tsx'
import './profile-cards.css'

const ProfileCard = lazyComponent(() => import('./profile-card.tsx').then((module) => module.ProfileCard))

type Toggle = (userId: string, anchor: HTMLElement) => void

const ToggleCard = createContext<Toggle | null>(null)

interface ProfileCardsProps {
  /** The space as whose members people are shown; null where there is none around. */
  spaceId: string | null
  side: 'left' | 'right' | 'bottom'
  children: ReactNode
}

interface Shown {
  readonly userId: string
  readonly anchor: HTMLElement
  readonly open: boolean
}

/** Lets a list of people open a card about each of them. One popover serves them all: lists are long. */
export function ProfileCards({ spaceId, side, children }: ProfileCardsProps) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [ending, setEnding] = useState<EndedPerson | null>(null)
  const toggle = useCallback<Toggle>((userId, anchor) => {
    setShown((before) => ({ userId, anchor, open: before?.open !== true || before.anchor !== anchor }))
  }, [])

  function end(person: EndedPerson) {
    setShown((before) => before && { ...before, open: false })
    setEnding(person)
  }

  function onOpenChange(open: boolean, { event }: Popover.Root.ChangeEventDetails) {
    // A press on what opened the card closes it by itself.
    if (event.target instanceof Node && shown?.anchor.contains(event.target)) return
    setShown((before) => before && { ...before, open })
  }

  return (
    <ToggleCard value={toggle}>
      {children}
      <Popover.Root open={shown?.open === true} onOpenChange={onOpenChange}>
        <Popover.Portal>
          <Popover.Positioner
            className="floating"
            anchor={shown?.anchor}
            side={side}
            align="start"
            sideOffset={8}
            collisionPadding={8}
          >
            <Popover.Popup className="popover profile-card" finalFocus={() => shown?.anchor ?? null}>
              {shown !== null && (
                <Suspense fallback={<p className="menu-note">Loading…</p>}>
                  <ProfileCard key={shown.userId} userId={shown.userId} spaceId={spaceId} onEnd={end} />
                </Suspense>
              )}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      <EndFriendship person={ending} onClose={() => setEnding(null)} />
    </ToggleCard>
  )
}

/** Whether there are cards around to be opened. */
export function useHasProfileCards(): boolean {
  return useContext(ToggleCard) !== null
}

interface ProfileButtonProps {
  userId: string
  className: string
  /** Whether the Tab key stops here. */
  isTabStop?: boolean
  /** For the mouse alone: another one beside it does the same. */
  isSpare?: boolean
  children: ReactNode
}

/** A button around somebody's name that opens the card about them. */
export function ProfileButton({
  userId,
  className,
  isTabStop = true,
  isSpare = false,
  children,
}: ProfileButtonProps) {
  const toggle = useContext(ToggleCard)
  if (toggle === null) throw new Error('there are no ProfileCards around this button')
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      aria-hidden={isSpare || undefined}
      tabIndex={isTabStop && !isSpare ? undefined : -1}
      onClick={(event) => toggle(userId, event.currentTarget)}
    >
      {children}
    </button>
  )
}
