import type { Message } from '@foyer/protocol/messages'
import { counted } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'

/** Returns true if the user blocked the author. The message is then only shown when the user follows a link to it. */
export function useIsBlocked({ author, room_id, conversation_id }: Message): boolean {
  return useAppState((state) => author.id in blockedIn(state, room_id ?? conversation_id ?? ''))
}

/** Returns the text shown in place of messages by blocked people. */
export function blockedWords(count: number, people: number): string {
  return people === 1
    ? counted(count, '{count} message from someone you blocked', '{count} messages from someone you blocked')
    : counted(count, '{count} message from people you blocked', '{count} messages from people you blocked')
}
