import { findMentions, mayMentionEveryone } from '@foyer/protocol/mentions'
import type { RefObject } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { type EmojiNames, loadEmojiNames, withStandardEmojis } from '#src/emojis/standard-emojis.ts'
import { counted, t } from '#src/language/texts.ts'
import { isHiddenFromEveryone } from '#src/rooms/names/private-rooms.ts'
import { othersIn } from '#src/store/conversations.ts'
import type { State } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { insertAt } from '#src/ui/fields/insert-text.ts'
import { nextFrame } from '#src/ui/focus/next-frame.ts'

// One module for emoji names and confirmations, because the name of every lazy chunk adds to the first load.

/** Messages that notify fewer people are sent without asking. */
const ASK_FROM = 6

/** Number of people a message to everyone would notify. */
export interface Notified {
  readonly count: number
  /** True if `count` is an upper limit: the client does not know everyone who can see the room. */
  readonly isAtMost: boolean
}

let loading: Promise<EmojiNames> | null = null

/** Replaces names such as `:smile:` with emoji. Returns the text unchanged if the emoji names can't be loaded. */
export async function withEmojis(text: string): Promise<string> {
  if (!/:[\w+-]+:/.test(text)) return text
  loading ??= loadEmojiNames()
  try {
    return withStandardEmojis(text, await loading)
  } catch {
    loading = null
    return text
  }
}

/** The space's custom emoji. In the field they stay names such as `:party:`, until the message is sent. */
export type Emojis = readonly { readonly name: string }[]

/** Replaces pasted emoji names in the field with emoji, except the names of the space's custom emoji. */
export function showPasted(field: RefObject<HTMLTextAreaElement | null>, own: Emojis): void {
  // The field changes after the paste event.
  nextFrame(() => void showEmojis(field.current, own))
}

async function showEmojis(field: HTMLTextAreaElement | null, own: Emojis): Promise<void> {
  if (field === null) return
  await withEmojis(field.value)
  const loaded = await loading?.catch(() => null)
  if (!loaded) return
  const owned = new Set(own.map(({ name }) => name.toLowerCase()))
  const names = new Map([...loaded].filter(([name]) => !owned.has(name)))
  const { value, selectionStart } = field
  const before = value.slice(0, selectionStart)
  const shown = withStandardEmojis(before, names)
  if (shown !== before) insertAt(field, shown, { start: 0, end: selectionStart })
}

/** Confirmation before a message is sent. */
export interface Question {
  readonly notified: Notified
  readonly send: () => void
}

interface Sending {
  readonly state: State
  readonly channel: OpenChannel
  readonly silently: boolean
  readonly sendNow: (content: string) => void
  readonly ask: (question: Question) => void
}

/** Sends the text with its emoji, or asks for confirmation first. */
export async function takeCare(
  { state, channel, silently, sendNow, ask }: Sending,
  text: string,
): Promise<void> {
  const content = await withEmojis(text)
  const notified = silently ? null : askedAbout(state, channel, content)
  if (notified === null) sendNow(content)
  else ask({ notified, send: () => sendNow(content) })
}

/** Returns how many people @everyone or @here in the text would notify if confirmation is needed; otherwise null. */
function askedAbout(state: State, channel: OpenChannel, text: string): Notified | null {
  const { everyone, roleIds } = findMentions(text)
  const { spaceId } = channel
  const isMeant = everyone || (spaceId !== null && roleIds.includes(spaceId))
  const notified = isMeant ? notifiedIn(state, channel) : null
  const mayAll = mayMentionEveryone(channel.rights)
  return mayAll && notified !== null && notified.count >= ASK_FROM ? notified : null
}

function notifiedIn(state: State, { id, spaceId }: OpenChannel): Notified | null {
  if (spaceId === null) {
    const conversation = state.conversations[id]
    return conversation === undefined
      ? null
      : { count: othersIn(state, conversation).length, isAtMost: false }
  }
  const space = state.spaces[spaceId]
  if (space === undefined) return null
  return { count: space.member_count - 1, isAtMost: isHiddenFromEveryone(space, id) }
}

interface EveryoneQuestionProps {
  notified: Notified
  onSend: () => void
  onClose: () => void
}

/** Confirms sending a message that notifies many people. */
export function EveryoneQuestion({ notified: { count, isAtMost }, onSend, onClose }: EveryoneQuestionProps) {
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Notify everyone?')}
      action={t('Send message')}
      look="primary"
      run={async () => onSend()}
    >
      <p>
        {isAtMost
          ? counted(
              count,
              'This message notifies up to {count} person.',
              'This message notifies up to {count} people.',
            )
          : counted(count, 'This message notifies {count} person.', 'This message notifies {count} people.')}
      </p>
    </Confirm>
  )
}
