import { DoorOpen } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { useUpdateDoor } from './use-update-door.ts'

/** Opens the door. People who wait keep waiting until a moderator decides. */
export function OpenDoor({ spaceId, look = 'quiet' }: { spaceId: string; look?: 'primary' | 'quiet' }) {
  const update = useUpdateDoor(spaceId)
  const { pending, error, run } = useAction()
  return (
    <>
      <Button look={look} pending={pending} onClick={() => run(() => update({ closed: false }))}>
        <DoorOpen aria-hidden="true" /> {t('Open the door')}
      </Button>
      <ErrorLine message={error} />
    </>
  )
}
