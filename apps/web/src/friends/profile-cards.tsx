import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import type { PopupAnchor } from '#src/ui/use-popup.ts'
import type { ProfileTask } from './profile-task.ts'

const ProfilePopup = lazyPopup(() => import('./profile-popup.tsx').then((module) => module.ProfilePopup))

const ProfileDialogs = lazyPopup(() =>
  import('./profile-dialogs.tsx').then((module) => module.ProfileDialogs),
)

type Toggle = (userId: string, anchor: HTMLElement) => void

const ToggleCard = createContext<Toggle | null>(null)

interface ProfileCardsProps {
  /** The space as whose members people are shown; null where there is none around. */
  spaceId: string | null
  side: 'inline-start' | 'inline-end' | 'bottom'
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
  const [task, setTask] = useState<ProfileTask | null>(null)
  const toggle = useCallback<Toggle>((userId, anchor) => {
    setShown((before) => ({ userId, anchor, open: before?.open !== true || before.anchor !== anchor }))
  }, [])

  function begin(next: ProfileTask) {
    setShown((before) => before && { ...before, open: false })
    setTask(next)
  }

  // Another one for another anchor: it stands beside that.
  const anchor = useMemo(
    () => anchorFor(shown?.userId, shown?.anchor ?? null),
    [shown?.userId, shown?.anchor],
  )
  const popup: PopupAnchor = {
    anchor,
    open: shown?.open === true,
    byKey: false,
    asked: null,
    onOpenChange: (open) => setShown((before) => before && { ...before, open }),
  }

  return (
    <ToggleCard value={toggle}>
      {children}
      {shown !== null && (
        <ProfilePopup userId={shown.userId} spaceId={spaceId} side={side} popup={popup} onTask={begin} />
      )}
      {task !== null && <ProfileDialogs task={task} spaceId={spaceId} onTask={setTask} />}
    </ToggleCard>
  )
}

/** What was pressed; in a list that moves, the row that stands in its place. */
function anchorFor(userId: string | undefined, pressed: HTMLElement | null) {
  return {
    get current() {
      if (pressed?.isConnected !== false) return pressed
      return document.querySelector<HTMLElement>(`[data-profile="${userId}"]`) ?? pressed
    },
  }
}

/** Opens the card about somebody beside what was pressed, or closes it. */
export function useToggleProfile(): Toggle {
  const toggle = useContext(ToggleCard)
  if (toggle === null) throw new Error('there are no ProfileCards around this button')
  return toggle
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
  const toggle = useToggleProfile()
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
