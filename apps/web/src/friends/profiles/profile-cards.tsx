import { createContext, type MouseEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { type AskedMenu, askedBy } from '#src/ui/popups/menu-anchor.ts'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import type { ProfileTask } from './profile-task.ts'

const ProfilePopup = lazyPopup(() => import('./profile-popup.tsx').then((module) => module.ProfilePopup))
const PersonMenu = lazyPopup(() => import('./person-menu.tsx').then((module) => module.PersonMenu))
const ProfileDialogs = lazyPopup(() =>
  import('./profile-dialogs.tsx').then((module) => module.ProfileDialogs),
)

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

interface Shown {
  readonly userId: string
  readonly anchor: HTMLElement
  readonly open: boolean
}

interface OpenMenu {
  readonly userId: string
  readonly asked: AskedMenu
  readonly open: boolean
}

/** The menu opens where it was requested, and not at a button. */
const NO_BUTTON = { current: null }

/** Lets a list of people open their profile cards and menus. The list shares one popover, because it can be long. */
export function ProfileCards({ spaceId, side, children }: ProfileCardsProps) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [task, setTask] = useState<ProfileTask | null>(null)
  const cards = useMemo<Cards>(
    () => ({
      toggle: (userId, anchor) =>
        setShown((before) => ({ userId, anchor, open: before?.open !== true || before.anchor !== anchor })),
      ask: (userId, asked) => setMenu({ userId, asked, open: true }),
    }),
    [],
  )

  function turnCard(open: boolean) {
    setShown((before) => before && { ...before, open })
  }

  function begin(next: ProfileTask) {
    turnCard(false)
    setTask(next)
  }

  // A new object for each anchor, so that the card moves there.
  const anchor = useMemo(
    () => anchorFor(shown?.userId, shown?.anchor ?? null),
    [shown?.userId, shown?.anchor],
  )
  const popup: PopupAnchor = {
    anchor,
    open: shown?.open === true,
    byKey: false,
    asked: null,
    onOpenChange: turnCard,
  }

  return (
    <CardsContext value={cards}>
      <OpenMenuContext value={menu?.open === true ? menu.userId : null}>{children}</OpenMenuContext>
      {shown !== null && (
        <ProfilePopup userId={shown.userId} spaceId={spaceId} side={side} popup={popup} onTask={begin} />
      )}
      {menu !== null && (
        <PersonMenu
          key={menu.userId}
          userId={menu.userId}
          spaceId={spaceId}
          popup={{
            ...menu,
            anchor: NO_BUTTON,
            byKey: menu.asked.byKey,
            onOpenChange: (open) => setMenu((before) => before && { ...before, open }),
          }}
          onTask={begin}
        />
      )}
      {task !== null && <ProfileDialogs task={task} spaceId={spaceId} onTask={setTask} />}
    </CardsContext>
  )
}

/** The pressed element, or the row that replaced it when a virtual list scrolled. */
function anchorFor(userId: string | undefined, pressed: HTMLElement | null) {
  return {
    get current() {
      if (pressed?.isConnected !== false) return pressed
      return document.querySelector<HTMLElement>(`[data-profile="${userId}"]`) ?? pressed
    },
  }
}

/** Handlers for an element that shows a user. A click opens the profile card, a right click or the menu key the menu. */
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
  /** Lets the Tab key stop here. */
  isTabStop?: boolean
  /** For the mouse only, because an adjacent button does the same. */
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
