import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

/** Pins a post to the beginning of its forum, or unpins it. */
export function PinPost({ entry }: { entry: ThreadEntry }) {
  const { client, store } = useSession()
  const { pending, error, run } = useAction()
  const isPinned = entry.thread.is_pinned === true

  async function turn() {
    const { own: _, ...thread } = await client.api(ThreadRooms).update(entry.id, { is_pinned: !isPinned })
    store.adopt('THREAD_UPDATE', thread)
  }

  return (
    <>
      <Button pending={pending} onClick={() => run(turn)}>
        {isPinned ? t('Unpin post') : t('Pin post')}
      </Button>
      <ErrorLine message={error} />
    </>
  )
}
