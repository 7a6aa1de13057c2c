import { ChevronDown } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'

export const SpaceMenuPopup = lazyPopup(() =>
  import('./space-menu-popup.tsx').then((module) => module.SpaceMenuPopup),
)

interface SpaceMenuProps {
  space: SpaceEntry
  currentRoomId: string | null
}

/** The name of the space, as a button that opens its menu. */
export function SpaceMenu({ space, currentRoomId }: SpaceMenuProps) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'menu' })
  const label = t('{name}, space menu', { name: space.name })
  return (
    <>
      <button type="button" {...trigger} className="space-menu-trigger" aria-label={label}>
        <span className="space-name" dir="auto">
          {space.name}
        </span>
        <ChevronDown aria-hidden="true" />
      </button>
      {isWanted && (
        <SpaceMenuPopup
          key={space.id}
          space={space}
          currentRoomId={currentRoomId}
          label={label}
          popup={popup}
        />
      )}
    </>
  )
}
