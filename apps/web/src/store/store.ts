import type { EventName, Events } from '@foyer/protocol/events'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type LocalEvents, reduceEvent, reduceLocal } from './reducers.ts'
import { initialState, type State } from './state.ts'

export interface Store {
  readonly api: StoreApi<State>
  get(): State
  /** Takes in what the gateway says. */
  hear<Name extends EventName>(name: Name, data: Events[Name]): void
  /** Takes in what happens in this client. */
  dispatch<Name extends keyof LocalEvents>(name: Name, data: LocalEvents[Name]): void
}

export function createAppStore(now: () => number = Date.now): Store {
  const api = createStore<State>(() => initialState)
  return {
    api,
    get: api.getState,
    hear: (name, data) => api.setState(reduceEvent(api.getState(), name, data, now()), true),
    dispatch: (name, data) => api.setState(reduceLocal(api.getState(), name, data, now()), true),
  }
}
