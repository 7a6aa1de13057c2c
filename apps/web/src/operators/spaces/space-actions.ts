import type { OperatorSpace } from '@foyer/protocol/operators'
import { ArchiveRestore, LockKeyhole, LockKeyholeOpen, Snowflake, Trash2 } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import type { RowAction } from '../row-menu.tsx'
import type { SpaceAction } from './dialog-props.ts'

/** Returns the actions that administrators can take on the space. */
export function actionsOn(
  { space, held_at, deleted_at }: OperatorSpace,
  choose: (action: SpaceAction) => void,
): RowAction[] {
  const hold =
    held_at === null
      ? { label: t('Place legal hold…'), Icon: LockKeyhole, run: () => choose('hold') }
      : {
          label: t('Release legal hold…'),
          Icon: LockKeyholeOpen,
          isDanger: true,
          run: () => choose('release'),
        }
  if (deleted_at !== null)
    return [{ label: t('Bring back…'), Icon: ArchiveRestore, run: () => choose('restore') }, hold]
  return [
    space.frozen_at === null
      ? { label: t('Freeze…'), Icon: Snowflake, isDanger: true, run: () => choose('freeze') }
      : { label: t('Unfreeze…'), Icon: Snowflake, run: () => choose('unfreeze') },
    hold,
    { label: t('Delete space…'), Icon: Trash2, isDanger: true, run: () => choose('delete') },
  ]
}
