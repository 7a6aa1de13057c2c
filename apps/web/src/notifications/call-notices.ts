import type { Call } from '@foyer/protocol/voice'
import { conversationPath } from '#src/conversations/actions.ts'
import { t } from '#src/language/texts.ts'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import type { Notice } from './notice.ts'

/** Returns the notification tag of a call. The server's pushes use the same tag. */
export function callTag(conversationId: string): string {
  return `call-${conversationId}`
}

/** Returns the call of a conversation if it rings for the user. */
export function ringingIn({ calls, me }: State, conversationId: string): Call | undefined {
  const call = calls[conversationId]
  return me !== null && call?.ringing.includes(me.id) === true ? call : undefined
}

/** Returns the ids of conversations that started or stopped ringing for the user. */
export function ringChanges(state: State, before: State): { begun: string[]; ended: string[] } {
  if (state.calls === before.calls) return { begun: [], ended: [] }
  const ids = [...new Set([...Object.keys(state.calls), ...Object.keys(before.calls)])]
  const rings = (at: State, id: string) => ringingIn(at, id) !== undefined
  return {
    begun: ids.filter((id) => rings(state, id) && !rings(before, id)),
    ended: ids.filter((id) => rings(before, id) && !rings(state, id)),
  }
}

/** Returns the notification of a call. */
export function callNotice({ users, conversations }: State, call: Call): Notice {
  const id = call.conversation_id
  const caller = users[call.initiator_id]
  const group = conversations[id]?.name ?? null
  const base = { url: conversationPath(id), tag: callTag(id), message_id: null }
  if (caller === undefined) return { ...base, title: t('Incoming call'), body: group ?? '' }
  const author = personName(caller)
  const title = group === null ? author : t('{author} ({group})', { author, group })
  return { ...base, title, body: t('is calling you') }
}
