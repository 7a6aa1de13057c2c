import type { Newcomer } from '@foyer/protocol/door'
import { useId, useRef, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useNow } from '#src/ui/time/use-now.ts'
import { idsOf, matchingNewcomers, waitingIdsOf } from './decision.ts'
import { type Decided, NewcomerActions } from './newcomer-actions.tsx'
import { NewcomerRow } from './newcomer-row.tsx'
import { useNewcomers } from './use-newcomers.ts'

/** The newcomers at the door, with the possible decisions. */
export function NewcomerList({ space }: { space: SpaceEntry }) {
  const { newcomers, error, again, remove } = useNewcomers(space.id)
  const [done, setDone] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const waiting = waitingIdsOf(newcomers ?? []).length
  return (
    <section className="door-part" aria-labelledby="newcomers">
      <h4 ref={heading} tabIndex={-1} id="newcomers">
        {waiting === 0
          ? t('Waiting to be let in')
          : counted(waiting, '{count} person waiting to be let in', '{count} people waiting to be let in')}
      </h4>
      {error !== null ? (
        <LoadError message={error} again={again} />
      ) : newcomers === undefined ? (
        <Skeleton />
      ) : newcomers.length === 0 ? (
        <p className="settings-note">
          {t('No one is waiting. People who use an invite while the door is closed appear here.')}
        </p>
      ) : (
        <Choices
          space={space}
          newcomers={newcomers}
          onDecided={(ids, sentence) => {
            // The focused button may be about to disappear.
            heading.current?.focus()
            remove(ids)
            setDone(sentence)
          }}
        />
      )}
      <p className="settings-note" role="status">
        {done}
      </p>
    </section>
  )
}

interface ChoicesProps {
  space: SpaceEntry
  newcomers: readonly Newcomer[]
  onDecided: Decided
}

/** Rows rendered per page. */
const STEP = 50
/** Minimum number of newcomers to show the search field. */
const MANY = 10
/** Refresh interval of the times, which are shown in minutes. */
const TIMES_MS = 20_000

function Choices({ space, newcomers, onDecided }: ChoicesProps) {
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const nameOf = useNames(space.id)
  const note = useId()
  const found = matchingNewcomers(newcomers, query)
  const selected = newcomers.filter(({ user }) => chosen.has(user.id))
  const areAllChosen = found.length > 0 && found.every(({ user }) => chosen.has(user.id))
  useNow(TIMES_MS)

  function toggle(ids: readonly string[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const id of ids) isChosen ? next.add(id) : next.delete(id)
    setChosen(next)
  }

  return (
    <>
      {newcomers.length >= MANY && (
        <SearchField label={t('Search by name')} value={query} onChange={setQuery} />
      )}
      <div className="newcomer-bar">
        <label className="newcomer-all">
          <input
            type="checkbox"
            checked={areAllChosen}
            disabled={found.length === 0}
            onChange={() => toggle(idsOf(found), !areAllChosen)}
          />
          {query === '' ? t('Select all') : t('Select all that match')}
        </label>
        <NewcomerActions
          space={space}
          newcomers={newcomers}
          selected={selected}
          isNarrowed={query !== ''}
          onDecided={onDecided}
        />
      </div>
      <ul className="settings-list" aria-labelledby="newcomers" aria-describedby={note}>
        {found.slice(0, limit).map((newcomer) => (
          <NewcomerRow
            key={newcomer.user.id}
            newcomer={newcomer}
            name={nameOf(newcomer.user)}
            isChosen={chosen.has(newcomer.user.id)}
            onToggle={() => toggle([newcomer.user.id], !chosen.has(newcomer.user.id))}
          />
        ))}
      </ul>
      <p id={note} className="settings-note" role="status">
        {found.length === 0 ? t('No one matches.') : newcomers.length > 1 && t('Oldest accounts first.')}
      </p>
      {found.length > limit && <Button onClick={() => setLimit(limit + STEP)}>{t('Show more')}</Button>}
    </>
  )
}
