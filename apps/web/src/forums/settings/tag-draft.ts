import type { ForumTag, SetTag } from '@foyer/protocol/forums'
import { tagColor } from '../tags/tag-color.ts'

/** A tag in the editor. New ones have a key, but no id until they are saved. */
export interface TagDraft {
  readonly key: string
  readonly id: string | null
  readonly name: string
  /** CSS colour; null without one. */
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

/** Returns the drafts with one moved by a step, if it can. */
export function withMoved(drafts: readonly TagDraft[], index: number, step: 1 | -1): readonly TagDraft[] {
  const target = index + step
  const [moved, other] = [drafts[index], drafts[target]]
  if (moved === undefined || other === undefined) return drafts
  return drafts.with(target, moved).with(index, other)
}
