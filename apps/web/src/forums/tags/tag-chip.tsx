import type { ForumTag } from '@foyer/protocol/forums'
import './tags.css'
import { tagColor } from './tag-color.ts'

/** The name of a tag. A dot beside it has the tag's colour, so that the name stays readable in every theme. */
export function TagChip({ tag }: { tag: Pick<ForumTag, 'name' | 'color'> }) {
  return (
    <span className="tag-chip" style={{ '--tag-color': tagColor(tag.color) }}>
      <span className="tag-dot" aria-hidden="true" />
      <bdi>{tag.name}</bdi>
    </span>
  )
}

/** The tags of a post, in the order of its forum. */
export function TagChips({ tags, ids }: { tags: readonly ForumTag[]; ids: readonly string[] }) {
  const own = tags.filter(({ id }) => ids.includes(id))
  if (own.length === 0) return null
  return (
    <span className="tag-chips">
      {own.map((tag) => (
        <TagChip key={tag.id} tag={tag} />
      ))}
    </span>
  )
}
