import { useOpenDialog } from '#src/ui/dialog-place.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'

const UserSettings = lazyComponent(() => import('./user-settings.tsx').then((module) => module.UserSettings))

/** What opens the user's settings, from wherever one is: at a section, or the first without. */
export function useOpenSettings(): (sectionId?: string) => void {
  const openDialog = useOpenDialog()
  return (sectionId) => openDialog((close) => <UserSettings sectionId={sectionId} onClose={close} />)
}
