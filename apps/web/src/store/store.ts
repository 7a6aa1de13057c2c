import type { EventName, Events } from '@foyer/protocol/events'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type LocalEvents, reduceEvent, reduceLocal } from './reducers.ts'
import { initialState, type State } from './state.ts'

export interface Store {
  /** State rendered by the components. */
  readonly api: StoreApi<State>
  /** Returns the current state, even if it is not rendered yet. */
  get(): State
  /** Applies an event of the gateway. It is rendered soon. */
  receive<Name extends EventName>(name: Name, data: Events[Name]): void
  /** Applies a response like the event that will follow. It is rendered immediately. */
  adopt<Name extends EventName>(name: Name, data: Events[Name]): void
  /** Applies an event of this client. It is rendered immediately. */
  dispatch<Name extends keyof LocalEvents>(name: Name, data: LocalEvents[Name]): void
}

/**
 * @param soon runs its argument once, a moment later. Events of a busy room or a replay are rendered together, because
 * rendering each one takes longer than the time between them.
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
    receive: (name, data) => {
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
