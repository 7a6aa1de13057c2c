import type { Block } from '@foyer/protocol/friends'
import { Ban } from 'lucide-react'
import { type RefObject, useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { PersonRow } from './person-row.tsx'
import { friendWords } from './profiles/words.ts'

interface Ending {
  /** Receives the focus when the focused row is removed. */
  focusAfter: RefObject<HTMLElement | null>
}

interface RowProps extends Ending {
  block: Block
}

/** Blocked users, most recent first. */
export function BlockedList({ focusAfter }: Ending) {
  const blocks = useAppState((state) => state.blocks)
  const sorted = useMemo(() => Object.values(blocks).sort((a, b) => (a.since < b.since ? 1 : -1)), [blocks])
  if (sorted.length === 0) {
    return (
      <EmptyNote icon={<Ban />} title={t('You haven’t blocked anyone')}>
        {t(
          'People you block appear here. They can’t send you friend requests. To block someone, click their name and choose Block.',
        )}
      </EmptyNote>
    )
  }
  return (
    <ul className="people">
      {sorted.map((block) => (
        <BlockedRow key={block.user.id} block={block} focusAfter={focusAfter} />
      ))}
    </ul>
  )
}

function BlockedRow({ block, focusAfter }: RowProps) {
  const { friends } = useSession().client
  const action = useAction(friendWords)
  useFocusAfter(focusAfter)
  return (
    <PersonRow
      person={block.user}
      note={t('blocked {ago}', { ago: formatAgo(block.since) })}
      error={action.error}
    >
      {(name) => (
        <Button
          aria-label={t('Unblock {name}', { name })}
          pending={action.pending}
          onClick={() => action.run(() => friends.unblock(block.user.id))}
        >
          {t('Unblock')}
        </Button>
      )}
    </PersonRow>
  )
}
