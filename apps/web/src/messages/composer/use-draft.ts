import { ReferenceType } from '@foyer/protocol/messages'
import { useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useSpaceEmojis } from '#src/emojis/use-space-emojis.ts'
import { asSent, type Named } from '#src/mentions/named-text.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { type Draft, draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import type { SendOptions } from '#src/store/state.ts'

/** The draft of a channel. */
export interface WrittenDraft {
  readonly draft: Draft
  /** The text as it would be sent. */
  readonly written: string
  change(change: Partial<Draft>): void
  /** Remembers which user or room a name in the text mentions. */
  name(named: Named): void
}

export function useDraft(channel: OpenChannel): WrittenDraft {
  const { store } = useSession()
  const key = draftKeyOf(channel)
  const draft = useAppState((state) => state.drafts[key] ?? emptyDraft)
  const emojis = useSpaceEmojis(channel.spaceId)
  const { content, named } = draft
  const written = useMemo(() => asSent(content, named, emojis).trim(), [content, named, emojis])
  const change = (changed: Partial<Draft>) => store.dispatch('draft_changed', { channel_id: key, ...changed })
  const name = (added: Named) =>
    change({ named: { ...(store.get().drafts[key] ?? emptyDraft).named, ...added } })
  return { draft, written, change, name }
}

/** The message replied to, and whether to notify its author. */
export type AnsweredBy = Pick<NonNullable<Draft['reply']>, 'id' | 'mentions'> | null

interface Sent {
  readonly reply: AnsweredBy
  /** True if a message in a thread is also sent to its room. */
  readonly isAlsoToRoom: boolean
}

/** Returns the options of a message: the message it replies to, its flags and its mentions. */
export function sendOptions({ reply, isAlsoToRoom }: Sent, flags: number): SendOptions {
  return {
    ...(isAlsoToRoom && { also_to_room: true }),
    ...(reply !== null && { reference: { type: ReferenceType.Reply, message_id: reply.id } }),
    // `allowed_mentions` replaces the defaults, so it must also allow the mentions in the text.
    ...(reply?.mentions === false && {
      allowed_mentions: { parse: ['users', 'roles', 'everyone'], replied_user: false },
    }),
    ...(flags !== 0 && { flags }),
  }
}

const SILENT = /^@silent(?:\s+|$)/

/** Removes @silent from the beginning of a text. */
export function withoutSilent(text: string): { text: string; isSilent: boolean } {
  return { text: text.replace(SILENT, ''), isSilent: SILENT.test(text) }
}
