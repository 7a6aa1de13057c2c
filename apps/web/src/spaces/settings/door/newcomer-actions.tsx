import type { Newcomer } from '@foyer/protocol/door'
import { Permission } from '@foyer/protocol/permissions'
import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { decideOn, idsOf, unlessDecided, waitingIdsOf } from './decision.ts'
import { RemoveNewcomers } from './remove-newcomers.tsx'

/** Maximum selected people who are let in without a confirmation. */
const FEW = 10

/** Called after a decision, with a sentence about it. */
export type Decided = (userIds: readonly string[], sentence: string) => void

interface NewcomerActionsProps {
  space: SpaceEntry
  newcomers: readonly Newcomer[]
  selected: readonly Newcomer[]
  /** True while a search hides some newcomers. The actions then need a selection. */
  isNarrowed: boolean
  onDecided: Decided
}

/** Lets in or removes the selected newcomers, or everyone if none is selected. */
export function NewcomerActions({ space, newcomers, selected, isNarrowed, onDecided }: NewcomerActionsProps) {
  const { client } = useSession()
  const rights = usePermissions(space.id)
  const letting = useAction()
  const [asked, setAsked] = useState<'let-in' | 'remove' | null>(null)
  const isAll = selected.length === 0
  const concerned = isAll ? newcomers : selected
  const waiting = waitingIdsOf(concerned)
  const asksFirst = isAll || waiting.length > FEW
  const isUnclear = isAll && isNarrowed
  const mayRemove = rights.may(Permission.ManageMessages)

  async function letIn() {
    if (isAll) await unlessDecided(client.door.letIn(space.id))
    else await decideOn(waiting, (user_ids) => client.door.letIn(space.id, { user_ids }))
    const sentence = counted(waiting.length, 'You let {count} person in.', 'You let {count} people in.')
    onDecided(isAll ? idsOf(concerned) : waiting, sentence)
  }

  return (
    <>
      <div className="settings-actions">
        <Button
          look={isAll ? 'quiet' : 'primary'}
          pending={letting.pending}
          disabled={isUnclear || waiting.length === 0}
          onClick={() => (asksFirst ? setAsked('let-in') : letting.run(letIn))}
        >
          {isAll ? t('Let everyone in…') : t('Let in ({count})', { count: waiting.length })}
        </Button>
        {mayRemove && (
          <Button look="danger" disabled={isUnclear} onClick={() => setAsked('remove')}>
            {isAll ? t('Remove everyone…') : t('Remove ({count})…', { count: concerned.length })}
          </Button>
        )}
      </div>
      {!mayRemove && (
        <p className="settings-note">
          {t('To remove people, you also need the permission “Manage messages”.')}
        </p>
      )}
      <ErrorLine message={letting.error} />
      <Confirm
        open={asked === 'let-in'}
        onOpenChange={() => setAsked(null)}
        title={counted(waiting.length, 'Let {count} person in?', 'Let {count} people in?')}
        action={t('Let in')}
        look="primary"
        run={letIn}
      >
        <p>{t('They become members of {name}.', { name: space.name })}</p>
      </Confirm>
      <RemoveNewcomers
        space={space}
        open={asked === 'remove'}
        onClose={() => setAsked(null)}
        userIds={idsOf(concerned)}
        isAll={isAll}
        onDecided={(ids) =>
          onDecided(ids, counted(ids.length, 'You removed {count} person.', 'You removed {count} people.'))
        }
      />
    </>
  )
}
