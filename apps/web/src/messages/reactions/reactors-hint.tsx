import type { Message } from '@foyer/protocol/messages'
import { useChannel } from '#src/channels/channel-context.ts'
import { ReactionEmoji } from '#src/emojis/reaction-emoji.tsx'
import { namesAndOthers } from '#src/language/names-and-others.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { useReactors } from './use-reactors.ts'

interface ReactorsHintProps {
  message: Message
  emoji: string
  count: number
  name: string
}

/** Names listed in one sentence. */
const NAMED = 5

/** Tooltip with the names of the first users who reacted with an emoji. */
export function ReactorsHint({ message, emoji, count, name }: ReactorsHintProps) {
  const { nameOf } = useChannel()
  const myId = useAppState((state) => state.me?.id)
  const { answer: reactors } = useReactors(message, emoji, { limit: NAMED, count })
  const people = reactors.state === 'here' ? reactors.value : undefined
  const others = people?.filter(({ id }) => id !== myId).map((user) => nameOf(user))
  const names = others && (others.length < (people?.length ?? 0) ? [t('You'), ...others] : others)
  return (
    <>
      <ReactionEmoji emoji={emoji} />
      <span>
        {names === undefined
          ? name
          : t('{people} reacted with {emoji}', { people: namesAndOthers(names, count), emoji: name })}
      </span>
    </>
  )
}
