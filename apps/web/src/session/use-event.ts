import type { EventName } from '@foyer/protocol/events'
import type { Listener } from '@foyer/sdk/subscribers'
import { useEffect } from 'react'
import { useSession } from './context.ts'

/**
 * Hears of an event that the store keeps nothing of.
 * @param listener the same function as long as it means the same: another one is subscribed anew
 */
export function useEvent<Name extends EventName>(name: Name, listener: Listener<Name>): void {
  const { client } = useSession()
  useEffect(() => client.gateway.on(name, listener), [client, name, listener])
}
