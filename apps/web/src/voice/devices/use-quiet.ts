import { useStore } from 'zustand'
import { type QuietView, quiet } from '../control/quiet/quiet.ts'

/** The strong noise suppression of this browser. */
export function useQuiet(): QuietView {
  return useStore(quiet)
}
