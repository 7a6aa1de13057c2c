import { isSameOverwrite } from '@foyer/protocol/rights'
import type { RoomOverwrite } from '@foyer/protocol/roles'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusBack } from '#src/ui/focus/use-focus-back.ts'
import { noFlags } from './overwrite-draft.ts'

interface RemoveOverwriteProps {
  space: SpaceEntry
  overwrite: RoomOverwrite
  name: string
}

/** Removes an overwrite. The target then has only inherited permissions. */
export function RemoveOverwrite({ space, overwrite, name }: RemoveOverwriteProps) {
  const { client, store } = useSession()
  const action = useAction()
  const onFocus = useFocusBack(true)
  const { room_id, target_id } = overwrite
  const isEmpty = isSameOverwrite(overwrite, noFlags)

  async function remove() {
    await client.overwrites.delete(space.id, room_id, target_id)
    store.adopt('ROOM_OVERWRITE_DELETE', { space_id: space.id, room_id, target_id })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only tracks where the focus comes from
    <div className="danger-zone" onFocus={onFocus}>
      <div className="settings-line">
        <p>
          <strong>{t('Remove these room permissions')}</strong>
          <span>
            {isEmpty
              ? t('Nothing is set here for {name}.', { name })
              : t('This clears everything set here for {name}. Inherited permissions apply again.', { name })}
          </span>
        </p>
        <Button pending={action.pending} onClick={() => action.run(remove)}>
          {t('Remove room permissions')}
        </Button>
      </div>
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </div>
  )
}
