import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { operatorWords } from '../words.ts'

/** Allows owners to let everyone on the internet read rooms. It applies immediately. */
export function PublicPages() {
  const { client } = useSession()
  const { answer, again, change } = useAnswer(ask, operatorWords)
  const saving = useAction(operatorWords)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />

  function save(public_pages: boolean) {
    saving.run(async () => {
      const saved = await client.api(Administration).updatePublicPages({ public_pages })
      change(() => saved)
    })
  }

  return (
    <section className="operator-part" aria-labelledby="operator-public-pages">
      <h4 id="operator-public-pages">{t('Rooms on the web')}</h4>
      <SwitchRow
        label={t('Space owners can open rooms to the web')}
        description={t(
          'Everyone on the internet can then read these rooms without an account. If you turn this off, the rooms leave the web, but the owners’ choices are kept.',
        )}
        checked={answer.value.public_pages}
        disabled={saving.pending}
        onChange={save}
      />
      <ErrorLine message={saving.error} />
    </section>
  )
}

function ask(client: Client, options: CallOptions) {
  return client.api(Administration).getPublicPages(options)
}
