import { DoorOpen } from 'lucide-react'
import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { useUpdateDoor } from './use-update-door.ts'

interface OpenDoorProps {
  spaceId: string
  /** Number of newcomers, who continue to wait until a moderator decides. */
  newcomers: number
  look?: 'primary' | 'quiet'
}

/** Opens the door. If newcomers wait, it first explains what happens to them. */
export function OpenDoor({ spaceId, newcomers, look = 'quiet' }: OpenDoorProps) {
  const update = useUpdateDoor(spaceId)
  const { pending, error, run } = useAction()
  const [isAsked, setIsAsked] = useState(false)
  const open = () => update({ closed: false })
  return (
    <>
      <Button look={look} pending={pending} onClick={() => (newcomers > 0 ? setIsAsked(true) : run(open))}>
        <DoorOpen aria-hidden="true" /> {t('Open the door')}
      </Button>
      <ErrorLine message={error} />
      <Confirm
        open={isAsked}
        onOpenChange={setIsAsked}
        title={t('Open the door?')}
        action={t('Open the door')}
        look="primary"
        run={open}
      >
        <p>
          {counted(
            newcomers,
            'New people join right away. {count} person keeps waiting until a moderator lets them in or removes them.',
            'New people join right away. {count} people keep waiting until a moderator lets them in or removes them.',
          )}
        </p>
      </Confirm>
    </>
  )
}
