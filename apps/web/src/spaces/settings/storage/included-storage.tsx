import { HardDrive } from 'lucide-react'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'

interface IncludedStorageProps {
  space: SpaceEntry
  /** True if the space has no other storage. */
  isFirst: boolean
  /** True if it should be activated immediately, because no other storage is active. */
  isWanted: boolean
  /** Receives the focus when the button disappears after adding; defaults to the surrounding element. */
  focusAfter?: RefObject<HTMLElement | null>
  onAdded: () => void
}

const words = {
  included_off: t('This server doesn’t offer storage for spaces. Connect a bucket instead.'),
}

/** A button that adds the space's share of the server's own storage. */
export function IncludedStorage({ space, isFirst, isWanted, focusAfter, onAdded }: IncludedStorageProps) {
  const { client } = useSession()
  const { run, pending, error } = useAction(words)
  useFocusAfter(focusAfter)

  async function add() {
    const { id, active } = await client.buckets.createIncluded(space.id)
    if (isWanted && !active) await client.buckets.activate(space.id, id)
    onAdded()
  }

  return (
    <>
      <Button look={isFirst ? 'primary' : 'quiet'} pending={pending} onClick={() => run(add)}>
        <HardDrive aria-hidden="true" />{' '}
        {isWanted ? t('Use the server’s storage') : t('Add the server’s storage')}
      </Button>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </>
  )
}
