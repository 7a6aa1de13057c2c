import { type Dispatch, type SetStateAction, useMemo, useState } from 'react'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import type { OpenMenu, Shown } from './opened-profiles.ts'
import { PersonMenu } from './person-menu.tsx'
import { ProfilePopup } from './profile-popup.tsx'
import type { ProfileTask } from './profile-task.ts'

const ProfileDialogs = lazyPopup(() =>
  import('./profile-dialogs.tsx').then((module) => module.ProfileDialogs),
)

interface ProfileLayersProps {
  spaceId: string | null
  side: 'inline-start' | 'inline-end' | 'bottom'
  shown: Shown | null
  setShown: Dispatch<SetStateAction<Shown | null>>
  menu: OpenMenu | null
  setMenu: Dispatch<SetStateAction<OpenMenu | null>>
}

/** The menu opens where it was requested, and not at a button. */
const NO_BUTTON = { current: null }

/** The card and the menu of a user, and the dialogs that they open. */
export function ProfileLayers({ spaceId, side, shown, setShown, menu, setMenu }: ProfileLayersProps) {
  const [task, setTask] = useState<ProfileTask | null>(null)

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
    <>
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
    </>
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
