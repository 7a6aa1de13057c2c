import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

/** Decides whether moderators need a second factor. Only for the owner, who then also needs one. */
export function SecondFactorSwitch({ space }: { space: SpaceEntry }) {
  const { client, store } = useSession()
  const saving = useAction()
  const save = async (needs_second_factor: boolean) =>
    store.adopt('SPACE_UPDATE', await client.spaces.update(space.id, { needs_second_factor }))
  return (
    <>
      <SwitchRow
        label={t('Moderators need two-step login')}
        description={t(
          'Everyone who moderates or administers this space, including you, has to sign in with a code or a passkey to do so.',
        )}
        checked={space.needs_second_factor}
        onChange={(checked) => saving.run(() => save(checked))}
      />
      <ErrorLine message={saving.error} />
    </>
  )
}
