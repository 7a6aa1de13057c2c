import { useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { listedGroups } from '../list/room-order.ts'
import { roomName } from '../names/room-name.ts'

interface CategoryFieldProps {
  spaceId: string
  /** The id of a category, or null for none. */
  value: string | null
  onChange: (parentId: string | null) => void
}

/** Selects the category of a room. */
export function CategoryField({ spaceId, value, onChange }: CategoryFieldProps) {
  const rooms = useAppState((state) => state.rooms)
  const categories = useMemo(
    () => listedGroups(rooms, spaceId, () => true).flatMap(({ category }) => category ?? []),
    [rooms, spaceId],
  )
  return (
    <SelectField
      name="parent_id"
      label={t('Category')}
      options={[['', t('None')], ...categories.map((category) => [category.id, roomName(category)] as const)]}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
    />
  )
}
