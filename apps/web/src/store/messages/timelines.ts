import type { State, Timeline } from '../state.ts'

/** Changes a channel's timeline. Returns the same state if there is none, or nothing changed. */
export function withTimeline(
  state: State,
  channelId: string,
  change: (timeline: Timeline) => Timeline,
): State {
  const timeline = state.timelines[channelId]
  if (timeline === undefined) return state
  const changed = change(timeline)
  return changed === timeline ? state : { ...state, timelines: { ...state.timelines, [channelId]: changed } }
}
