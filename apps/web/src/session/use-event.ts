import type { EventName } from '@foyer/protocol/events'
import type { Listener } from '@foyer/sdk/subscribers'
import { useEffect } from 'react'
import { useSession } from './context.ts'

/**
 * Listens to an event that does not change the store.
 * @param listener should be memoized, since a new function is subscribed again
 */
export function useEvent<Name extends EventName>(name: Name, listener: Listener<Name>): void {
  const { client } = useSession()
  useEffect(() => client.gateway.on(name, listener), [client, name, listener])
}
