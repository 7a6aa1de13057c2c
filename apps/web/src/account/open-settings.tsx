import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'

const UserSettings = lazyComponent(() => import('./user-settings.tsx').then((module) => module.UserSettings))

/** Returns a function that opens the user settings, at the given section or the first. */
export function useOpenSettings(): (sectionId?: string, onClosed?: () => void) => void {
  const openDialog = useOpenDialog()
  return (sectionId, onClosed) =>
    openDialog((close) => {
      const end = () => {
        close()
        onClosed?.()
      }
      return <UserSettings sectionId={sectionId} onClose={end} />
    })
}
