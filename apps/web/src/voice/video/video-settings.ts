import { keepRecord, readRecord } from '../control/voice-settings.ts'

const KEY = 'foyer.video'

/** Settings of cameras and screens. Kept in the browser, because each browser has its own devices. */
export interface VideoSettings {
  /** Id of a camera; empty for the system default. */
  readonly camera: string
  /** Content of a shared screen: moving pictures, which keep the frame rate, or text, which keeps the resolution. */
  readonly mode: 'motion' | 'text'
  readonly sharesSound: boolean
  /** `grid` shows all pictures in one size, `speaker` shows one picture large. */
  readonly layout: 'grid' | 'speaker'
}

/** Reads the stored settings, which another version of this client may have written. */
export function readVideoSettings(storage: Pick<Storage, 'getItem'>): VideoSettings {
  const { camera, mode, sharesSound, layout } = readRecord(storage, KEY)
  return {
    camera: typeof camera === 'string' ? camera : '',
    mode: mode === 'motion' ? 'motion' : 'text',
    sharesSound: sharesSound !== false,
    layout: layout === 'speaker' ? 'speaker' : 'grid',
  }
}

export function keepVideoSettings(storage: Pick<Storage, 'setItem'>, settings: VideoSettings): void {
  keepRecord(storage, KEY, settings)
}
