import { createContext, useContext, useEffect, useId } from 'react'

/** Tells whatever is around that a form, by its id, holds something that was not saved, or no longer does. */
export type ReportUnsaved = (formId: string, isUnsaved: boolean) => void

export const UnsavedChanges = createContext<ReportUnsaved>(() => undefined)

/** While it is unsaved, leaving the page around this form asks first. */
export function useUnsavedChanges(isUnsaved: boolean): void {
  const id = useId()
  const report = useContext(UnsavedChanges)
  useEffect(() => {
    report(id, isUnsaved)
    return () => report(id, false)
  }, [report, id, isUnsaved])
}
