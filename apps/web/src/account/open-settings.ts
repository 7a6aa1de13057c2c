import { createContext, useContext } from 'react'

/** @param sectionId the one to begin with; the first without */
export type OpenSettings = (sectionId?: string) => void

export const OpenSettingsContext = createContext<OpenSettings>(() => undefined)

/** What opens the user's settings, from wherever one is. */
export function useOpenSettings(): OpenSettings {
  return useContext(OpenSettingsContext)
}
