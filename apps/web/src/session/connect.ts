import type { Session } from './session.ts'

/** Connects, once there are tokens: after signing in or up, and on a reload. */
export function connect({ client, store, login }: Session): void {
  // Another tab has signed in since, so another session has replaced this one.
  if (!login.isLast) return
  store.dispatch('signed_in', null)
  client.gateway.connect()
}
