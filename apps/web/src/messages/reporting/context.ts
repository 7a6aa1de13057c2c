import { MAX_REPORT_CONTEXT } from '@foyer/protocol/limits'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { systemTextOf } from '../content/message-words.ts'

/** Messages offered before the reported message. There are more if few messages follow it. */
const BEFORE = 6
/** Preselected messages before the reported message. */
const PRESELECTED = 3

/**
 * Returns the reported message and those around it, oldest first, as many as a report can show.
 * @param messages loaded messages of the conversation, oldest first
 */
export function contextAround(messages: readonly Message[], reportedId: string): readonly Message[] {
  const shown = messages.filter(isWritten)
  const at = shown.findIndex(({ id }) => id === reportedId)
  if (at < 0) return []
  const following = shown.length - at - 1
  const after = Math.min(following, Math.max(MAX_REPORT_CONTEXT - BEFORE, MAX_REPORT_CONTEXT - at))
  const before = Math.min(at, MAX_REPORT_CONTEXT - after)
  return shown.slice(at - before, at + after + 1)
}

/** Returns the ids of the messages just before the reported message, which are preselected. */
export function preselectedIn(context: readonly Message[], reportedId: string): readonly string[] {
  const at = context.findIndex(({ id }) => id === reportedId)
  return context.slice(Math.max(0, at - PRESELECTED), Math.max(0, at)).map(({ id }) => id)
}

/** False for messages that only this client has, and for system messages. */
function isWritten(message: Message): boolean {
  return (message.flags & MessageFlag.Ephemeral) === 0 && systemTextOf(message) === undefined
}
