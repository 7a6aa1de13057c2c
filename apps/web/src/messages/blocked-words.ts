import type { Message } from '@foyer/protocol/messages'
import { counted } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'

/** Whether its author is blocked by the reader, who then sees it only where they follow it to its place. */
export function useIsBlocked({ author, room_id, conversation_id }: Message): boolean {
  return useAppState((state) => author.id in blockedIn(state, room_id ?? conversation_id ?? ''))
}

/** What stands in place of messages by so many people whom the reader blocks. */
export function blockedWords(count: number, people: number): string {
  return people === 1
    ? counted(count, '{count} message from someone you blocked', '{count} messages from someone you blocked')
    : counted(count, '{count} message from people you blocked', '{count} messages from people you blocked')
}
