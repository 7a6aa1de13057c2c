import type { Forum } from '@foyer/protocol/forums'

/** Returns those of the tags that still exist: a deleted one can be neither shown nor sent. */
export function presentTags({ tags }: Pick<Forum, 'tags'>, ids: readonly string[]): string[] {
  return ids.filter((id) => tags.some((tag) => tag.id === id))
}
