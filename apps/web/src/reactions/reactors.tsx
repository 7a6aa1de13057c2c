import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import { X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LoadError } from '#src/ui/load-error.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useAction } from '#src/ui/use-action.ts'
import { useFocusAfter } from '#src/ui/use-focus-after.ts'
import { addressOfMessage } from './address-of-message.ts'
import { useReactors } from './use-reactors.ts'

interface ReactorsProps {
  message: Message
  emoji: string
  count: number
}

/** Who reacted with an emoji: a page of them, and each further one when it is asked for. */
export function Reactors({ message, emoji, count }: ReactorsProps) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <div ref={list} tabIndex={-1} className="reactors">
      <Page message={message} emoji={emoji} left={count} after={null} focusAfter={list} />
    </div>
  )
}

interface PageProps {
  message: Message
  emoji: string
  /** How many are not on the pages before. */
  left: number
  /** The last of the page before. */
  after: string | null
  /** Where the focus goes when what has it goes. */
  focusAfter: RefObject<HTMLElement | null>
}

function Page({ message, emoji, left, after, focusAfter }: PageProps) {
  const { answer: reactors, again } = useReactors(message, emoji, { after })
  const [isContinued, setIsContinued] = useState(false)
  if (reactors.state === 'loading') return <Skeleton />
  if (reactors.state === 'failed') return <LoadError message={reactors.message} again={again} />
  const others = left - reactors.value.length
  const last = reactors.value.at(-1)?.id
  const goOn = () => {
    // The button goes, and the page is not here yet.
    focusAfter.current?.focus({ preventScroll: true })
    setIsContinued(true)
  }
  return (
    <>
      <ul tabIndex={-1} ref={goOnHere}>
        {reactors.value.map((user) => (
          <Reactor key={user.id} user={user} message={message} emoji={emoji} focusAfter={focusAfter} />
        ))}
      </ul>
      {others > 0 && last !== undefined && !isContinued && (
        <Button onClick={goOn}>{counted(others, 'and {count} other', 'and {count} others')}</Button>
      )}
      {others > 0 && last !== undefined && isContinued && (
        <Page message={message} emoji={emoji} left={others} after={last} focusAfter={focusAfter} />
      )}
    </>
  )
}

/** Where a page was asked for, the focus goes on at its beginning. */
function goOnHere(list: HTMLElement | null): void {
  if (list?.parentElement === document.activeElement) list?.focus({ preventScroll: true })
}

interface ReactorProps {
  user: User
  message: Message
  emoji: string
  /** Where the focus goes when the row that has it goes. */
  focusAfter: RefObject<HTMLElement | null>
}

/** Their reaction can be taken back by themselves, and by who manages messages. */
function Reactor({ user, message, emoji, focusAfter }: ReactorProps) {
  const { nameOf, may } = useChannel()
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
      {(isOwn || may(Permission.ManageMessages)) && (
        <IconButton
          label={isOwn ? t('Take back your reaction') : t('Remove the reaction of {name}', { name })}
          icon={<X />}
          pending={removal.pending}
          onClick={() => removal.run(remove)}
        />
      )}
    </li>
  )
}
