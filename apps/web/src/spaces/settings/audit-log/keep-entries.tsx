import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { type Days, KeepField, optionOf } from '#src/ui/fields/keep-field.tsx'
import { keptFor } from '#src/ui/time/kept-for.ts'

/** How long the entries are kept. Only members who manage the space can change it. */
export function KeepEntries({ space }: { space: SpaceEntry }) {
  const { isAdministrator } = usePermissions(space.id)
  const days = space.audit_log_days
  if (isAdministrator) return <KeepFor space={space} />
  return (
    <p className="settings-note">
      {days === null
        ? t('Entries are kept forever.')
        : t('Entries are kept for {time}.', { time: keptFor(days) })}
    </p>
  )
}

const choices: readonly Days[] = [30, 90, 365, null]

function KeepFor({ space }: { space: SpaceEntry }) {
  const { client, store } = useSession()
  const current = space.audit_log_days
  const offered = choices.includes(current) ? choices : [current, ...choices]

  async function save(days: Days) {
    store.adopt('SPACE_UPDATE', await client.spaces.update(space.id, { audit_log_days: days }))
  }

  return (
    <KeepField
      name="audit_log_days"
      label={t('Keep entries for')}
      options={offered.map((days) => [optionOf(days), keptFor(days)])}
      days={current}
      save={save}
      title={t('Keep entries for less time?')}
      action={t('Delete older entries')}
      warning={(shorter) =>
        t('Entries older than {time} will be deleted. This can’t be undone.', { time: keptFor(shorter) })
      }
    />
  )
}
