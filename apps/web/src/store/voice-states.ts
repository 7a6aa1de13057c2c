import type { VoiceState } from '@foyer/protocol/voice'
import { channelOfEvent } from './channels.ts'
import type { State } from './state.ts'

export const voiceStateReducers = {
  /** A user is in one channel at a time. The event for leaving a channel may arrive after the one for joining another. */
  VOICE_STATE_UPDATE: (state: State, update: VoiceState): State => {
    const isLeaving = channelOfEvent(update) === ''
    const isOver = (known: VoiceState) =>
      known.user_id === update.user_id && (!isLeaving || known.session_id === update.session_id)
    const left = withoutVoices(state, isOver)
    return isLeaving ? left : withVoices(left, [update])
  },
  // Ignored, because speaking changes too often for the store.
  VOICE_SPEAKING: (state: State): State => state,
}

/** Adds or updates voice states, in the order in which the users joined. */
export function withVoices(state: State, added: readonly VoiceState[]): State {
  const voices: Record<string, readonly VoiceState[]> = { ...state.voices }
  for (const voice of added) {
    const id = channelOfEvent(voice)
    const others = voices[id]?.filter(({ user_id }) => user_id !== voice.user_id) ?? []
    voices[id] = [...others, voice].sort(byArrival)
  }
  return { ...state, voices }
}

function withoutVoices(state: State, isOver: (known: VoiceState) => boolean): State {
  const kept = Object.entries(state.voices).map(([id, known]) => {
    const staying = known.filter((voice) => !isOver(voice))
    return [id, staying.length === known.length ? known : staying] as const
  })
  const voices = Object.fromEntries(kept.filter(([, known]) => known.length > 0))
  return { ...state, voices }
}

const NOBODY: readonly VoiceState[] = []

/** Returns the voice states of a voice room or call, in the order in which the users joined. */
export function voicesIn(state: State, channelId: string): readonly VoiceState[] {
  return state.voices[channelId] ?? NOBODY
}

function byArrival(a: VoiceState, b: VoiceState): number {
  return Date.parse(a.joined_at) - Date.parse(b.joined_at) || (a.user_id < b.user_id ? -1 : 1)
}
