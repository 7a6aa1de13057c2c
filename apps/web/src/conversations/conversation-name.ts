import { type Conversation, ConversationType } from '@foyer/protocol/conversations'
import type { User } from '@foyer/protocol/users'
import { useMemo } from 'react'
import { lazily } from '#src/language/formats.ts'
import { counted, locale, t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { othersIn } from '#src/store/conversations.ts'
import { personName } from '#src/store/users.ts'

/** Names shown in full. Further members are only counted. */
const MAX_NAMES = 3

const commas = lazily(() => new Intl.ListFormat(locale(), { type: 'unit', style: 'short' }))

/** Returns the name of the group, or else the other members' names. */
export function conversationName({ name }: Conversation, others: readonly User[]): string {
  if (name !== null) return name
  if (others.length === 0) return t('Only you')
  const names = others.map(personName)
  if (names.length <= MAX_NAMES) return commas().format(names)
  return counted(names.length - MAX_NAMES + 1, '{names} and {count} other', '{names} and {count} others', {
    names: commas().format(names.slice(0, MAX_NAMES - 1)),
  })
}

/** The other members, with their current names and avatars. */
export function useOthers(conversation: Conversation): readonly User[] {
  const me = useAppState((state) => state.me)
  const users = useAppState((state) => state.users)
  return useMemo(() => othersIn({ me, users }, conversation), [me, users, conversation])
}

export function useConversationName(conversation: Conversation): string {
  return conversationName(conversation, useOthers(conversation))
}

export function isGroup({ type }: Conversation): boolean {
  return type === ConversationType.Group
}

export function peopleCount({ recipients: { length } }: Conversation): string {
  return counted(length, '{count} person', '{count} people')
}
