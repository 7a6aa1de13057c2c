import { createStore, type StoreApi } from 'zustand/vanilla'
import { reduce, type StoreEvents } from './reducers.ts'
import { initialState, type State } from './state.ts'

export interface Store {
  readonly api: StoreApi<State>
  get(): State
  dispatch<Name extends keyof StoreEvents>(name: Name, data: StoreEvents[Name]): void
}

export function createAppStore(now: () => number = Date.now): Store {
  const api = createStore<State>(() => initialState)
  return {
    api,
    get: api.getState,
    dispatch: (name, data) => api.setState(reduce(api.getState(), name, data, now()), true),
  }
}
