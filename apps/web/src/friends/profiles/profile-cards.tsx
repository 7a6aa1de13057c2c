import { createContext, type MouseEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { type AskedMenu, askedBy } from '#src/ui/popups/menu-anchor.ts'
import type { OpenMenu, Shown } from './opened-profiles.ts'

const ProfileLayers = lazyPopup(() => import('./profile-layers.tsx').then((module) => module.ProfileLayers))

interface Cards {
  /** Opens a user's card next to the anchor, or closes it. */
  readonly toggle: (userId: string, anchor: HTMLElement) => void
  /** Opens a user's menu. */
  readonly ask: (userId: string, asked: AskedMenu) => void
}

const CardsContext = createContext<Cards | null>(null)
/** Id of the user with an open menu. A separate context, so that a change rerenders only the menu buttons. */
const OpenMenuContext = createContext<string | null>(null)

interface ProfileCardsProps {
  /** The space whose membership the cards show; null outside of spaces. */
  spaceId: string | null
  side: 'inline-start' | 'inline-end' | 'bottom'
  children: ReactNode
}

/** Provides profile cards and menus for the people in a list. They share one popover, because the list can be long. */
export function ProfileCards({ spaceId, side, children }: ProfileCardsProps) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const cards = useMemo<Cards>(
    () => ({
      toggle: (userId, anchor) =>
        setShown((before) => ({ userId, anchor, open: before?.open !== true || before.anchor !== anchor })),
      ask: (userId, asked) => setMenu({ userId, asked, open: true }),
    }),
    [],
  )

  return (
    <CardsContext value={cards}>
      <OpenMenuContext value={menu?.open === true ? menu.userId : null}>{children}</OpenMenuContext>
      {(shown !== null || menu !== null) && (
        <ProfileLayers
          spaceId={spaceId}
          side={side}
          shown={shown}
          setShown={setShown}
          menu={menu}
          setMenu={setMenu}
        />
      )}
    </CardsContext>
  )
}

/** Handlers for an element that shows a user. A click opens the profile card. A right click or the menu key opens the menu. */
export function useProfileHandlers(userId: string) {
  const cards = useCards()
  return {
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => cards.toggle(userId, currentTarget),
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      // A long press opens the menu of the surrounding message.
      if (isByTouch(event.nativeEvent)) return
      event.preventDefault()
      event.stopPropagation()
      cards.ask(userId, askedBy(event))
    },
  }
}

/** Props for a button that opens a user's menu. */
export function usePersonMenu(userId: string) {
  const cards = useCards()
  const isOpen = useContext(OpenMenuContext) === userId
  return {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'data-popup-open': isOpen ? '' : undefined,
    onClick: ({ currentTarget, detail }: MouseEvent<HTMLElement>) =>
      cards.ask(userId, { at: currentTarget, from: { current: currentTarget }, byKey: detail === 0 }),
  } as const
}

function useCards(): Cards {
  const cards = useContext(CardsContext)
  if (cards === null) throw new Error('there are no ProfileCards around this button')
  return cards
}

function isByTouch(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch'
}

/** Returns true inside of ProfileCards. */
export function useHasProfileCards(): boolean {
  return useContext(CardsContext) !== null
}

interface ProfileButtonProps {
  userId: string
  className: string
  /** Makes the button a Tab stop. */
  isTabStop?: boolean
  /** True for a button that is for the mouse only, because an adjacent button does the same. */
  isSpare?: boolean
  children: ReactNode
}

/** A button around a user's name that opens their profile card. */
export function ProfileButton({
  userId,
  className,
  isTabStop = true,
  isSpare = false,
  children,
}: ProfileButtonProps) {
  const handlers = useProfileHandlers(userId)
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      aria-hidden={isSpare || undefined}
      tabIndex={isTabStop && !isSpare ? undefined : -1}
      {...handlers}
    >
      {children}
    </button>
  )
}
