import { type TalkKey, talkKeyOf } from './talk-key.ts'

const KEY = 'foyer.voice'

/** How this browser hears and is heard; kept in it, because its devices are its own. */
export interface VoiceSettings {
  /** A device's id; empty for whatever the system uses. */
  readonly input: string
  readonly output: string
  readonly echoCancellation: boolean
  readonly noiseSuppression: boolean
  /** Whether the microphone is open all the time, or while a key is held. */
  readonly mode: 'open' | 'push_to_talk'
  readonly talkKey: TalkKey
  /** Whether one hears that somebody comes or goes. */
  readonly signals: boolean
}

export const usualSettings: VoiceSettings = {
  input: '',
  output: '',
  echoCancellation: true,
  noiseSuppression: true,
  mode: 'open',
  talkKey: { code: 'ControlRight', ctrl: false, alt: false, shift: false, meta: false },
  signals: true,
}

/** Those that were kept; another version of this client may have written them. */
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

/** What was kept as an object under the key; an empty one for anything else. */
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
    // Full, or withheld: then it lives as long as the page.
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
