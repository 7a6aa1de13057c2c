import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { VoiceControl } from '../../control/voice-control.ts'
import { PictureWindow } from './picture-window.ts'

const windows = new WeakMap<VoiceControl, PictureWindow>()

/** The picture-in-picture window that belongs to the page's voice. */
export function usePictureWindow(): PictureWindow {
  const { voice } = useSession()
  const opened = windows.get(voice) ?? new PictureWindow()
  windows.set(voice, opened)
  return opened
}

export function useIsPictureWindowOpen(): boolean {
  return useStore(usePictureWindow().api, ({ page, element }) => page !== null || element !== null)
}
