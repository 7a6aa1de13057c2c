import type { User } from '@foyer/protocol/users'
import type { ReactNode, Ref } from 'react'
import { useNames } from '#src/members/use-names.ts'
import { readable } from '#src/mentions/readable.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useSession } from '#src/session/context.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { type MarkedText, markedText } from './hits/marked-text.ts'
import { useRoomNames } from './use-room-names.ts'

interface CaughtTextProps {
  spaceId: string
  author: { readonly id: string; readonly name: string; readonly picture: string | null }
  /** Null outside of rooms. */
  roomId: string | null
  createdAt: string
  text: string
  /** The part of the text that was caught, if it is known. */
  excerpt?: string | null
  /** Mentioned users, as far as they are loaded. */
  people?: readonly User[]
  /** Notes after room and time. */
  notes?: readonly ReactNode[]
  row?: Ref<HTMLLIElement>
  /** Buttons for the text. */
  children?: ReactNode
}

/** A row with a caught text: its author, room, time and full text. */
export function CaughtText(props: CaughtTextProps) {
  const {
    spaceId,
    author,
    roomId,
    createdAt,
    text,
    excerpt = null,
    people,
    notes = [],
    row,
    children,
  } = props
  const nameOfRoom = useRoomNames(spaceId)
  return (
    <li ref={row} className="automod-caught">
      <Avatar {...author} />
      <div className="automod-caught-texts">
        <p className="settings-name" dir="auto">
          {author.name}
        </p>
        <p className="settings-note automod-notes">
          {roomId !== null && <span>{nameOfRoom(roomId)}</span>}
          <time dateTime={createdAt} title={formatFull(createdAt)}>
            {formatAgo(createdAt)}
          </time>
          {notes}
        </p>
        {text !== '' && (
          <p className="settings-quote automod-text" dir="auto">
            <ReadableText spaceId={spaceId} text={markedText(text, excerpt)} people={people} />
          </p>
        )}
      </div>
      {children}
    </li>
  )
}

interface ReadableTextProps {
  spaceId: string
  text: MarkedText
  people: readonly User[] | undefined
}

function ReadableText({ spaceId, text: { before, caught, after }, people = [] }: ReadableTextProps) {
  const { store } = useSession()
  const nameOf = useNames(spaceId)
  const read = (text: string) => readable(store.get(), { spaceId, nameOf, people }, text)
  return (
    <>
      {read(before)}
      {caught !== '' && <mark>{read(caught)}</mark>}
      {read(after)}
    </>
  )
}
