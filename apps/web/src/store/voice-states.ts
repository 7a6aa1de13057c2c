import type { VoiceState } from '@foyer/protocol/voice'
import { channelOfEvent } from './channels.ts'
import type { State } from './state.ts'

export const voiceStateReducers = {
  /** Whoever is somewhere is nowhere else. What tells that they left a place may come after they are in another. */
  VOICE_STATE_UPDATE: (state: State, told: VoiceState): State => {
    const isLeaving = channelOfEvent(told) === ''
    const isOver = (known: VoiceState) =>
      known.user_id === told.user_id && (!isLeaving || known.session_id === told.session_id)
    const left = withoutVoices(state, isOver)
    return isLeaving ? left : withVoices(left, [told])
  },
  // Who speaks changes too often to be kept with all else.
  VOICE_SPEAKING: (state: State): State => state,
}

/** The state with these in their rooms and conversations, in the order in which they came. */
export function withVoices(state: State, told: readonly VoiceState[]): State {
  const voices: Record<string, readonly VoiceState[]> = { ...state.voices }
  for (const voice of told) {
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

/** Who is in the voice room or the call of the conversation, who came first before the others. */
export function voicesIn(state: State, channelId: string): readonly VoiceState[] {
  return state.voices[channelId] ?? NOBODY
}

function byArrival(a: VoiceState, b: VoiceState): number {
  return Date.parse(a.joined_at) - Date.parse(b.joined_at) || (a.user_id < b.user_id ? -1 : 1)
}
