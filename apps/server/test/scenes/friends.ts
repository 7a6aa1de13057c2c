import type { Friend } from '@foyer/protocol/friends'
import type { Person } from './people.ts'

/**
 * Makes two users friends.
 * @returns the friend as the receiver sees them
 */
export async function befriend(sender: Person, receiver: Person): Promise<Friend> {
  const { id } = await sender.client.friends.sendRequest(receiver.id)
  return receiver.client.friends.acceptRequest(id)
}
