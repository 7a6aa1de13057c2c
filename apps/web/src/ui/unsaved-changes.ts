import { createContext, useContext, useId, useLayoutEffect } from 'react'

/** The page around forms that may hold something which was not saved. */
export interface Leaving {
  /** Tells that a form, by its id, holds something that was not saved, or no longer does. */
  report(formId: string, isUnsaved: boolean): void
  /** Goes at once when nothing would be lost, else once the reader has agreed to that. */
  attempt(go: () => void): void
}

export const LeavingContext = createContext<Leaving>({ report: () => undefined, attempt: (go) => go() })

/** While it is unsaved, leaving the page around this form asks first. */
export function useUnsavedChanges(isUnsaved: boolean): void {
  const id = useId()
  const { report } = useContext(LeavingContext)
  // With what the reader sees: who leaves when it says that it is saved is not asked.
  useLayoutEffect(() => {
    report(id, isUnsaved)
    return () => report(id, false)
  }, [report, id, isUnsaved])
}

/** For ways out of a form that stay on the page around it: goes there, if need be after asking. */
export function useAttempt(): (go: () => void) => void {
  return useContext(LeavingContext).attempt
}
