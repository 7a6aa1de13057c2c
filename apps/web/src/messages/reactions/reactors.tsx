import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { ReactionChange } from '@foyer/protocol/reactions'
import type { User } from '@foyer/protocol/users'
import { X } from 'lucide-react'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { useIsFrozen } from '#src/permissions/use-permissions.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { useEvent } from '#src/session/use-event.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { addressOfMessage } from './address-of-message.ts'
import { useReactors } from './use-reactors.ts'

interface ReactorsProps {
  message: Message
  emoji: string
  count: number
}

/** Users who reacted with an emoji, page by page. */
export function Reactors({ message, emoji, count }: ReactorsProps) {
  const box = useRef<HTMLDivElement>(null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: not part of a form
    <div ref={box} tabIndex={-1} role="group" aria-label={t('Reactions')} className="reactors">
      <Page message={message} emoji={emoji} left={count} after={null} box={box} />
    </div>
  )
}

interface PageProps {
  message: Message
  emoji: string
  /** Number of users not on the previous pages. */
  left: number
  /** Id of the last user on the previous page when this page was requested. */
  after: string | null
  /** Holds the focus while a page is loaded. */
  box: RefObject<HTMLElement | null>
}

function Page({ message, emoji, left, after, box }: PageProps) {
  const { answer: reactors, again, change } = useReactors(message, emoji, { after })
  const [next, setNext] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const isHere = reactors.state === 'here'
  // The focused button disappears before the next page is loaded.
  const holdFocus = () => box.current?.focus({ preventScroll: true })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page appears
  useLayoutEffect(() => {
    if (box.current === document.activeElement) list.current?.focus({ preventScroll: true })
  }, [isHere])
  useReactionEvent('MESSAGE_REACTION_REMOVE', message, emoji, ({ user_id }) =>
    change((users) => users.filter(({ id }) => id !== user_id)),
  )
  // Events may have been missed while disconnected.
  useEvent('READY', again)
  // Only the last page is reloaded: after any other, all later pages would have to be loaded again.
  useReactionEvent('MESSAGE_REACTION_ADD', message, emoji, () => next ?? again())

  if (reactors.state === 'loading') return <Skeleton />
  if (reactors.state === 'failed') {
    const retry = () => {
      holdFocus()
      again()
    }
    return <LoadError message={reactors.message} again={retry} />
  }
  const others = left - reactors.value.length
  const last = reactors.value.at(-1)?.id
  const goOn = () => {
    holdFocus()
    setNext(last ?? null)
  }
  return (
    <>
      <ul ref={list} tabIndex={-1}>
        {reactors.value.map((user) => (
          <Reactor key={user.id} user={user} message={message} emoji={emoji} focusAfter={list} />
        ))}
      </ul>
      {next === null && others > 0 && last !== undefined && (
        <Button onClick={goOn}>{counted(others, 'Show {count} more', 'Show {count} more')}</Button>
      )}
      {next !== null && <Page message={message} emoji={emoji} left={others} after={next} box={box} />}
    </>
  )
}

/** Calls the handler for each reaction with the emoji that is added to or removed from the message. */
function useReactionEvent(
  name: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE',
  message: Message,
  emoji: string,
  handle: (change: ReactionChange) => void,
): void {
  const listener = (change: ReactionChange) => {
    if (change.message_id === message.id && change.emoji === emoji) handle(change)
  }
  const current = useRef(listener)
  current.current = listener
  useEvent(
    name,
    useCallback((change: ReactionChange) => current.current(change), []),
  )
}

interface ReactorProps {
  user: User
  message: Message
  emoji: string
  /** Receives the focus when the focused row is removed. */
  focusAfter: RefObject<HTMLElement | null>
}

/** A user who reacted. Users can remove their own reactions, moderators everyone's. */
function Reactor({ user, message, emoji, focusAfter }: ReactorProps) {
  const { nameOf, may, spaceId } = useChannel()
  const isFrozen = useIsFrozen(spaceId)
  const { client } = useSession()
  const myId = useAppState((state) => state.me?.id)
  const removal = useAction()
  useFocusAfter(focusAfter)
  const name = nameOf(user)
  const isOwn = user.id === myId
  const remove = () =>
    isOwn
      ? client.reactions.remove(addressOfMessage(message), emoji)
      : client.reactions.removeOf(addressOfMessage(message), emoji, user.id)
  return (
    <li>
      <Avatar id={user.id} name={name} size="sm" picture={user.avatar} />
      <span className="reactor-name" dir="auto">
        {name}
      </span>
      {removal.error !== null && (
        <span role="alert" className="form-error">
          {removal.error}
        </span>
      )}
      {((isOwn && !isFrozen) || may(Permission.ManageMessages)) && (
        <IconButton
          label={isOwn ? t('Remove your reaction') : t('Remove {name}’s reaction', { name })}
          icon={<X />}
          pending={removal.pending}
          onClick={() => removal.run(remove)}
        />
      )}
    </li>
  )
}
