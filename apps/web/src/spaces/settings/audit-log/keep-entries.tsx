import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { keptFor } from '#src/ui/time/kept-for.ts'

type Days = SpaceEntry['audit_log_days']

/** How long the entries are kept. Only those who manage the space can change it. */
export function KeepEntries({ space }: { space: SpaceEntry }) {
  const { isAdministrator } = usePermissions(space.id)
  const days = space.audit_log_days
  if (isAdministrator) return <KeepField space={space} />
  return (
    <p className="settings-note">
      {days === null
        ? t('Entries are kept forever.')
        : t('Entries are kept for {time}.', { time: keptFor(days) })}
    </p>
  )
}

const choices: readonly Days[] = [30, 90, 365, null]

function KeepField({ space }: { space: SpaceEntry }) {
  const { client, store } = useSession()
  const saving = useAction()
  /** A shorter time, which deletes entries; undefined while none is to be confirmed. */
  const [shorter, setShorter] = useState<Days>()
  const current = space.audit_log_days
  const offered = choices.includes(current) ? choices : [current, ...choices]

  async function save(days: Days) {
    store.adopt('SPACE_UPDATE', await client.spaces.update(space.id, { audit_log_days: days }))
  }

  function choose(value: string) {
    const days = value === '' ? null : Number(value)
    if (lengthOf(days) < lengthOf(current)) setShorter(days)
    else saving.run(() => save(days))
  }

  return (
    <>
      <SelectField
        name="audit_log_days"
        label={t('Keep entries for')}
        options={offered.map((days) => [optionOf(days), keptFor(days)])}
        value={optionOf(current)}
        onChange={choose}
      />
      <ErrorLine message={saving.error} />
      <Confirm
        open={shorter !== undefined}
        onOpenChange={() => setShorter(undefined)}
        title={t('Keep entries for less time?')}
        action={t('Delete older entries')}
        run={() => save(shorter ?? null)}
      >
        <p>
          {t('Entries older than {time} will be deleted. This can’t be undone.', {
            time: keptFor(shorter),
          })}
        </p>
      </Confirm>
    </>
  )
}

function optionOf(days: Days): string {
  return days === null ? '' : String(days)
}

function lengthOf(days: Days): number {
  return days ?? Number.POSITIVE_INFINITY
}
