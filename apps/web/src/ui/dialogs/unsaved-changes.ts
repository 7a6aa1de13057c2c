import { createContext, useContext, useId, useLayoutEffect } from 'react'

/** The page around forms that may have unsaved changes. */
export interface Leaving {
  /** Reports that the form with this id has unsaved changes, or no longer does. */
  report(formId: string, isUnsaved: boolean): void
  /** Calls `go` to leave: immediately without unsaved changes, otherwise once the user has agreed to discard them. */
  attempt(go: () => void): void
}

export const LeavingContext = createContext<Leaving>({ report: () => undefined, attempt: (go) => go() })

/** Makes leaving the surrounding page ask first while there are unsaved changes. */
export function useUnsavedChanges(isUnsaved: boolean): void {
  const id = useId()
  const { report } = useContext(LeavingContext)
  // Reports before the browser paints, so that leaving right after "saved" appears does not ask.
  useLayoutEffect(() => {
    report(id, isUnsaved)
    return () => report(id, false)
  }, [report, id, isUnsaved])
}

/** Returns a function that calls `go`, but asks first if a form on the page has unsaved changes. */
export function useAttempt(): (go: () => void) => void {
  return useContext(LeavingContext).attempt
}
