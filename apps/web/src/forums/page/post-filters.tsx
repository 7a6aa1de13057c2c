import type { ForumLayout, ForumTag } from '@foyer/protocol/forums'
import { LayoutGrid, List } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { TagChoice } from '../tags/tag-choice.tsx'
import type { PostFilter } from './post-order.ts'

interface PostFiltersProps {
  tags: readonly ForumTag[]
  filter: PostFilter
  onFilter: (filter: PostFilter) => void
  layout: ForumLayout
  onLayout: (layout: ForumLayout) => void
}

const SORTS = [
  ['activity', t('Latest activity')],
  ['created', t('Newest')],
] as const

const SOLVED = [
  ['all', t('All posts')],
  ['false', t('Unsolved')],
  ['true', t('Solved')],
] as const

/** The order of the posts, and which of them are listed. */
export function PostFilters({ tags, filter, onFilter, layout, onLayout }: PostFiltersProps) {
  const isGallery = layout === 'gallery'
  return (
    <search className="forum-filters" aria-label={t('Filter posts')}>
      <SelectField
        name="sort"
        label={t('Sort by')}
        options={SORTS}
        value={filter.sort}
        onChange={(sort) => onFilter({ ...filter, sort: sort === 'created' ? sort : 'activity' })}
      />
      <SelectField
        name="solved"
        label={t('Show')}
        options={SOLVED}
        value={String(filter.solved ?? 'all')}
        onChange={(solved) => onFilter({ ...filter, solved: solved === 'all' ? null : solved === 'true' })}
      />
      <IconButton
        label={isGallery ? t('Show as list') : t('Show as gallery')}
        icon={isGallery ? <List /> : <LayoutGrid />}
        onClick={() => onLayout(isGallery ? 'list' : 'gallery')}
      />
      <TagChoice
        label={t('Tags')}
        tags={tags}
        chosen={filter.tags}
        onChange={(chosen) => onFilter({ ...filter, tags: chosen })}
      />
    </search>
  )
}
