import { t } from '#src/language/texts.ts'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'

interface IndexingSwitchProps {
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** Lets search engines index the pages of a room. */
export function IndexingSwitch(props: IndexingSwitchProps) {
  return (
    <SwitchRow
      label={t('Search engines may list this room')}
      description={t('If this is off, the room’s pages ask search engines not to list them.')}
      {...props}
    />
  )
}
