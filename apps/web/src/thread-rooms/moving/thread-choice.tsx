import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { useId, useMemo, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { threadsOfRoom } from '../list/thread-sources.ts'
import { useThreadList } from '../list/use-thread-list.ts'
import type { MoveWords } from '../names/move-words.ts'
import './thread-choice.css'

interface ThreadChoiceProps {
  roomId: string
  words: MoveWords
  /** Thread that cannot be chosen. */
  except?: string | undefined
  chosen: string | null
  onChoose: (thread: OwnThread) => void
}

/** List of a room's threads, of which one is chosen. */
export function ThreadChoice({ roomId, words, except, chosen, onChoose }: ThreadChoiceProps) {
  const name = useId()
  const [query, setQuery] = useState('')
  const source = useMemo(() => threadsOfRoom(roomId, 'all'), [roomId])
  const { answer, again, hasMore, loadMore, older } = useThreadList(source)
  if (answer.state === 'loading') return <Skeleton rows={4} />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  const found = answer.value.threads.filter(({ id, title }) => id !== except && matches(title, query))
  return (
    <>
      <SearchField label={words.search} value={query} onChange={setQuery} />
      <fieldset className="thread-choices">
        <legend className="visually-hidden">{words.targets}</legend>
        {found.map((thread) => (
          <label key={thread.id} className="thread-choice">
            <input
              type="radio"
              name={name}
              checked={thread.id === chosen}
              onChange={() => onChoose(thread)}
            />
            <span dir="auto">{thread.title}</span>
            <small>{counted(thread.message_count, '{count} message', '{count} messages')}</small>
          </label>
        ))}
        {found.length === 0 && <p className="menu-note">{words.none}</p>}
        <ErrorLine message={older.error} />
        {hasMore && (
          <Button pending={older.pending} onClick={loadMore}>
            {t('Show more')}
          </Button>
        )}
      </fieldset>
    </>
  )
}

function matches(title: string, query: string): boolean {
  return title.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase())
}
