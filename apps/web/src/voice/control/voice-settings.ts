import { type TalkKey, talkKeyOf } from './talk-key.ts'

const KEY = 'foyer.voice'

/** Voice settings. Kept in the browser, because each browser has its own devices. */
export interface VoiceSettings {
  /** Id of a device; empty for the system default. */
  readonly input: string
  readonly output: string
  readonly echoCancellation: boolean
  readonly noiseSuppression: boolean
  /** Mode of the microphone: open all the time, or only while the push-to-talk key is held. */
  readonly mode: 'open' | 'push_to_talk'
  readonly talkKey: TalkKey
  /** Plays sounds when users join or leave. */
  readonly signals: boolean
}

export type MicrophoneSettings = Pick<VoiceSettings, 'input' | 'echoCancellation' | 'noiseSuppression'>

export const usualSettings: VoiceSettings = {
  input: '',
  output: '',
  echoCancellation: true,
  noiseSuppression: true,
  mode: 'open',
  talkKey: { code: 'ControlRight', ctrl: false, alt: false, shift: false, meta: false },
  signals: true,
}

/** Reads the stored settings, which another version of this client may have written. */
export function readSettings(storage: Pick<Storage, 'getItem'>): VoiceSettings {
  const kept = readRecord(storage, KEY)
  return {
    input: textOf(kept.input),
    output: textOf(kept.output),
    echoCancellation: kept.echoCancellation !== false,
    noiseSuppression: kept.noiseSuppression !== false,
    mode: kept.mode === 'push_to_talk' ? 'push_to_talk' : 'open',
    talkKey: talkKeyOf(kept.talkKey) ?? usualSettings.talkKey,
    signals: kept.signals !== false,
  }
}

export function keepSettings(storage: Pick<Storage, 'setItem'>, settings: VoiceSettings): void {
  keepRecord(storage, KEY, settings)
}

/** Reads the object stored under the key. Returns an empty object if no object is stored. */
export function readRecord(storage: Pick<Storage, 'getItem'>, key: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {}
  }
}

export function keepRecord(storage: Pick<Storage, 'setItem'>, key: string, record: object): void {
  try {
    storage.setItem(key, JSON.stringify(record))
  } catch {
    // Storage is full or blocked. The settings then last as long as the page.
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
