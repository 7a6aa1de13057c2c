import { Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { AddTarget } from './add-target.tsx'
import type { Target } from './target.ts'
import { TargetName } from './target-name.tsx'

interface TargetListProps {
  space: SpaceEntry
  targets: readonly Target[]
  /** Target shown next to the list. */
  chosen: Target | null
  nameOf: (target: Target) => string
  onChoose: (target: Target) => void
}

/** The roles and members with an overwrite in the room, and a button to add another. */
export function TargetList({ space, targets, chosen, nameOf, onChoose }: TargetListProps) {
  const [adding, setAdding] = useState(false)
  return (
    <nav className="target-list" aria-label={t('Roles and members')}>
      <ul>
        {targets.map((target) => (
          <li key={target.id}>
            <button
              type="button"
              className="target"
              aria-current={target.id === chosen?.id ? 'true' : undefined}
              onClick={() => onChoose(target)}
            >
              <TargetName space={space} target={target} name={nameOf(target)} />
            </button>
          </li>
        ))}
      </ul>
      <Button onClick={() => setAdding(true)}>
        <Plus aria-hidden="true" /> {t('Add a role or member')}
      </Button>
      {adding && (
        <AddTarget space={space} listed={targets} onChoose={onChoose} onClose={() => setAdding(false)} />
      )}
    </nav>
  )
}
