import type { BanAppeal } from '@foyer/protocol/reports'
import { useId, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { AppealEntry } from './appeal-entry.tsx'
import './appeals.css'
import { DecideAppeal, type Outcome } from './decide-appeal.tsx'
import { useAppeals } from './use-appeals.ts'

interface Deciding {
  readonly appeal: BanAppeal
  readonly isAccepted: boolean
}

/** Appeals of banned people. Hidden while there are none. */
export function AppealsPart({ space }: { space: SpaceEntry }) {
  const { appeals = [], error, again, remove, loadMore, moreError } = useAppeals(space.id)
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const [notice, setNotice] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const nameOf = useNames(space.id)
  const id = useId()

  function onDecided({ id: decidedId, user }: BanAppeal, outcome: Outcome) {
    setDeciding(null)
    setNotice(noticeOf(outcome, nameOf(user)))
    remove(decidedId)
    if (outcome === 'late' || outcome === 'gone') again()
  }

  if (error !== null) return <LoadError message={error} again={again} />
  if (appeals.length === 0 && notice === '' && deciding === null) return null
  return (
    <section className="appeals" aria-labelledby={id}>
      <h4 ref={heading} tabIndex={-1} id={id}>
        {t('Appeals')}
      </h4>
      <p className="settings-note">
        {appeals.length === 0
          ? t('No appeals are waiting for a decision.')
          : t('Banned people can ask once to be let in again. Oldest first.')}
      </p>
      <p role="status" className="finder-note">
        {notice}
      </p>
      <ul className="settings-list" aria-labelledby={id}>
        {appeals.map((appeal) => (
          <AppealEntry
            key={appeal.id}
            appeal={appeal}
            name={nameOf(appeal.user)}
            onDecide={(isAccepted) => {
              setNotice('')
              setDeciding({ appeal, isAccepted })
            }}
          />
        ))}
      </ul>
      {moreError !== null && loadMore !== null && <LoadError message={moreError} again={loadMore} />}
      {loadMore !== null && <Button onClick={loadMore}>{t('Show more')}</Button>}
      {deciding !== null && (
        <DecideAppeal
          {...deciding}
          space={space}
          name={nameOf(deciding.appeal.user)}
          onClose={() => setDeciding(null)}
          onDecided={(outcome) => onDecided(deciding.appeal, outcome)}
          focusAfter={heading}
        />
      )}
    </section>
  )
}

function noticeOf(outcome: Outcome, name: string): string {
  if (outcome === 'accepted') return t('{name} can join again.', { name })
  if (outcome === 'refused') return t('You refused {name}’s appeal.', { name })
  if (outcome === 'late') return t('{name}’s appeal has already been decided.', { name })
  return t('{name}’s appeal no longer exists.', { name })
}
