import type { ForumTag } from '@foyer/protocol/forums'
import { MAX_POST_TAGS } from '@foyer/protocol/limits'
import { TagChip } from './tag-chip.tsx'

interface TagChoiceProps {
  label: string
  hint?: string | undefined
  tags: readonly ForumTag[]
  chosen: readonly string[]
  /** Tags that the user may not set or remove. */
  isLocked?: (tag: ForumTag) => boolean
  onChange: (chosen: readonly string[]) => void
}

/** Chooses up to five tags. */
export function TagChoice({ label, hint, tags, chosen, isLocked, onChange }: TagChoiceProps) {
  if (tags.length === 0) return null
  const isFull = chosen.length >= MAX_POST_TAGS
  const turn = (id: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <fieldset className="tag-choice">
      <legend className="field-label">{label}</legend>
      {tags.map((tag) => {
        const isChosen = chosen.includes(tag.id)
        return (
          <label key={tag.id} className="tag-option">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isLocked?.(tag) === true || (isFull && !isChosen)}
              onChange={(event) => turn(tag.id, event.target.checked)}
            />
            <TagChip tag={tag} />
          </label>
        )
      })}
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </fieldset>
  )
}
