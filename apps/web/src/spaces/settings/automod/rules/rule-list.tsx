import type { AutomodRule } from '@foyer/protocol/automod'
import { MAX_AUTOMOD_RULES } from '@foyer/protocol/limits'
import { Plus, ShieldAlert } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { RuleRow } from './rule-row.tsx'
import type { Rules } from './use-rules.ts'

interface RuleListProps {
  spaceId: string
  list: Rules
  /** Opens the editor of a rule; null for a new one. */
  onOpen: (rule: AutomodRule | null) => void
  /** The rule whose editor was open before, or null; it gets the focus. Undefined if none was open. */
  lastId: string | null | undefined
}

/** The rules of the space. */
export function RuleList({
  spaceId,
  list: { rules, error, again, put, remove },
  onOpen,
  lastId,
}: RuleListProps) {
  const add = useRef<HTMLButtonElement>(null)
  const isBack = lastId !== undefined && rules?.every(({ id }) => id !== lastId) === true

  // The focused element was removed with the editor.
  useLayoutEffect(() => {
    if (isBack) add.current?.focus()
  }, [isBack])

  if (error !== null) return <LoadError message={error} again={again} />
  if (rules === undefined) return <Skeleton />
  const isFull = rules.length >= MAX_AUTOMOD_RULES
  const addButton = (
    <Button ref={add} look="primary" disabled={isFull} onClick={() => onOpen(null)}>
      <Plus aria-hidden="true" /> {t('Add rule')}
    </Button>
  )
  if (rules.length === 0)
    return (
      <EmptyNote icon={<ShieldAlert />} title={t('No rules yet')} action={addButton}>
        {t(
          'Rules check messages and names as people write them: refuse spam, or hold a message until a moderator has seen it.',
        )}
      </EmptyNote>
    )
  return (
    <>
      <div className="settings-line">
        <p>
          {isFull
            ? t('This space has reached the limit of {max} rules.', { max: MAX_AUTOMOD_RULES })
            : t('Rules don’t apply to members who manage AutoMod.')}
        </p>
        {addButton}
      </div>
      <ul className="settings-list" aria-label={t('Rules')}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.id}
            spaceId={spaceId}
            rule={rule}
            isFocused={rule.id === lastId}
            focusAfter={add}
            onEdit={() => onOpen(rule)}
            onSaved={put}
            onDeleted={remove}
          />
        ))}
      </ul>
    </>
  )
}
