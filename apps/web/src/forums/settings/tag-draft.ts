import type { ForumTag, SetTag } from '@foyer/protocol/forums'
import { tagColor } from '../tags/tag-color.ts'

/** A tag in the editor. A new tag has a key, but no id until it is saved. */
export interface TagDraft {
  readonly key: string
  readonly id: string | null
  readonly name: string
  /** CSS colour; null for a tag without a colour. */
  readonly color: string | null
  readonly isModerated: boolean
}

export function draftsOf(tags: readonly ForumTag[]): TagDraft[] {
  return tags.map(({ id, name, color, is_moderated }) => ({
    key: id,
    id,
    name,
    color: tagColor(color) ?? null,
    isModerated: is_moderated,
  }))
}

/** Returns the tags for a request. */
export function setTags(drafts: readonly TagDraft[]): SetTag[] {
  return drafts.map(({ id, name, color, isModerated }) => ({
    ...(id !== null && { id }),
    name: name.trim(),
    color: color === null ? null : Number.parseInt(color.slice(1), 16),
    is_moderated: isModerated,
  }))
}

/** Moves a tag one step up or down. Returns the same drafts if it is already at the end. */
export function withMoved(drafts: readonly TagDraft[], index: number, step: 1 | -1): readonly TagDraft[] {
  const target = index + step
  const [moved, other] = [drafts[index], drafts[target]]
  if (moved === undefined || other === undefined) return drafts
  return drafts.with(target, moved).with(index, other)
}
