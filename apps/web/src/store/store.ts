import type { EventName, Events } from '@foyer/protocol/events'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type LocalEvents, reduceEvent, reduceLocal } from './reducers.ts'
import { initialState, type State } from './state.ts'

export interface Store {
  /** What the components show. */
  readonly api: StoreApi<State>
  /** What is known, shown or not yet. */
  get(): State
  /** Takes in what the gateway says, to be shown soon. */
  hear<Name extends EventName>(name: Name, data: Events[Name]): void
  /** Takes in an answer that says what an event will say too, to be shown at once. */
  adopt<Name extends EventName>(name: Name, data: Events[Name]): void
  /** Takes in what happens in this client, to be shown at once. */
  dispatch<Name extends keyof LocalEvents>(name: Name, data: LocalEvents[Name]): void
}

/**
 * @param soon runs its argument once, a moment later: what a busy room or a replay brings until then is shown
 * in one go, because rendering every event by itself costs more than the events come apart
 */
export function createAppStore(soon: (show: () => void) => void, now: () => number = Date.now): Store {
  const api = createStore<State>(() => initialState)
  let state = initialState
  let isDue = false

  function show() {
    isDue = false
    api.setState(state, true)
  }

  return {
    api,
    get: () => state,
    hear: (name, data) => {
      state = reduceEvent(state, name, data, now())
      if (!isDue) soon(show)
      isDue = true
    },
    adopt: (name, data) => {
      state = reduceEvent(state, name, data, now())
      show()
    },
    dispatch: (name, data) => {
      state = reduceLocal(state, name, data, now())
      show()
    },
  }
}
