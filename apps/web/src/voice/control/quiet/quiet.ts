import { createStore, type StoreApi } from 'zustand/vanilla'
import { keepRecord, readRecord } from '../voice-settings.ts'

const KEY = 'foyer.voice.quiet'

/**
 * Why the filter does not work: `failed` if it could not be loaded or has stopped, `asleep` if the browser filters nothing
 * before a click or key press, `unsupported` if the browser cannot filter this microphone.
 */
export type QuietTrouble = 'failed' | 'asleep' | 'unsupported'

/** State of the strong noise suppression in this browser. */
export interface QuietView {
  /** The user's setting. */
  readonly isOn: boolean
  /** Why the microphone that was opened last is not filtered although it should be. */
  readonly trouble: QuietTrouble | null
}

/** The page's only store of this state, shared by everything that opens the microphone. */
export const quiet: StoreApi<QuietView> = createStore<QuietView>(() => ({
  isOn: readQuiet(window.localStorage),
  trouble: null,
}))

/** Changes the setting. It applies to microphones that are opened afterwards. */
export function setQuiet(isOn: boolean): void {
  keepRecord(window.localStorage, KEY, { isOn })
  quiet.setState({ isOn, trouble: null })
}

/** Reads the stored setting; off by default, and if the stored value has another format. */
function readQuiet(storage: Pick<Storage, 'getItem'>): boolean {
  return readRecord(storage, KEY).isOn === true
}
