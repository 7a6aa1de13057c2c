import { DoorOpen } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

/** Opens the door. People who wait keep waiting until a moderator decides. */
export function OpenDoor({ spaceId, look = 'quiet' }: { spaceId: string; look?: 'primary' | 'quiet' }) {
  const { client, store } = useSession()
  const { pending, error, run } = useAction()

  async function open() {
    store.adopt('SPACE_DOOR_UPDATE', await client.door.update(spaceId, { closed: false }))
  }

  return (
    <>
      <Button look={look} pending={pending} onClick={() => run(open)}>
        <DoorOpen aria-hidden="true" /> {t('Open the door')}
      </Button>
      <ErrorLine message={error} />
    </>
  )
}
