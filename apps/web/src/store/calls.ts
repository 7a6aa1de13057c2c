import type { Call } from '@foyer/protocol/voice'
import { type State, without } from './state.ts'

export const callReducers = {
  CALL_CREATE: withCall,
  CALL_UPDATE: withCall,
  CALL_DELETE: (state: State, ended: { conversation_id: string }): State => ({
    ...state,
    calls: without(state.calls, ended.conversation_id),
  }),
}

export function callsOf(calls: readonly Call[]): State['calls'] {
  return Object.fromEntries(calls.map((call) => [call.conversation_id, call]))
}

function withCall(state: State, call: Call): State {
  return { ...state, calls: { ...state.calls, [call.conversation_id]: call } }
}
