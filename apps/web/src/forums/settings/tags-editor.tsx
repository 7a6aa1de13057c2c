import { MAX_FORUM_TAGS, MAX_TAG_CHARACTERS } from '@foyer/protocol/limits'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { type TagDraft, withMoved } from './tag-draft.ts'
import './tags-editor.css'

interface TagsEditorProps {
  drafts: readonly TagDraft[]
  onChange: (drafts: readonly TagDraft[]) => void
}

/** Initial colour when the user adds a colour to a tag. */
const FIRST_COLOR = '#c77a17'

/** The tags of a forum: names, colours and their order. */
export function TagsEditor({ drafts, onChange }: TagsEditorProps) {
  const list = useRef<HTMLUListElement>(null)

  function add() {
    const key = crypto.randomUUID()
    onChange([...drafts, { key, id: null, name: '', color: null, isModerated: false }])
    nextFrame(() => list.current?.lastElementChild?.querySelector('input')?.focus())
  }

  function remove(key: string) {
    onChange(drafts.filter((draft) => draft.key !== key))
    nextFrame(() => list.current?.parentElement?.querySelector<HTMLElement>('.tags-add')?.focus())
  }

  return (
    <fieldset className="tags-editor">
      <legend className="field-label">{t('Tags')}</legend>
      <ul ref={list}>
        {drafts.map((draft, index) => (
          <TagRow
            key={draft.key}
            draft={draft}
            isFirst={index === 0}
            isLast={index === drafts.length - 1}
            onChange={(changed) => onChange(drafts.with(index, changed))}
            onMove={(step) => onChange(withMoved(drafts, index, step))}
            onRemove={() => remove(draft.key)}
          />
        ))}
      </ul>
      <Button className="tags-add" disabled={drafts.length >= MAX_FORUM_TAGS} onClick={add}>
        <Plus aria-hidden="true" /> {t('Add tag')}
      </Button>
    </fieldset>
  )
}

interface TagRowProps {
  draft: TagDraft
  isFirst: boolean
  isLast: boolean
  onChange: (draft: TagDraft) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function TagRow({ draft, isFirst, isLast, onChange, onMove, onRemove }: TagRowProps) {
  const { name, color, isModerated } = draft
  return (
    <li className="tag-row">
      <input
        className="field-control"
        aria-label={t('Tag name')}
        dir="auto"
        maxLength={MAX_TAG_CHARACTERS}
        autoComplete="off"
        value={name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <label className="tag-option">
        <input
          type="checkbox"
          checked={color !== null}
          onChange={(event) => onChange({ ...draft, color: event.target.checked ? FIRST_COLOR : null })}
        />
        {t('Colour')}
      </label>
      {color !== null && (
        <input
          type="color"
          aria-label={t('Colour of {tag}', { tag: name })}
          value={color}
          onChange={(event) => onChange({ ...draft, color: event.target.value })}
        />
      )}
      <label className="tag-option">
        <input
          type="checkbox"
          checked={isModerated}
          onChange={(event) => onChange({ ...draft, isModerated: event.target.checked })}
        />
        {t('Moderators only')}
      </label>
      <IconButton
        label={t('Move {tag} up', { tag: name })}
        icon={<ArrowUp />}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={t('Move {tag} down', { tag: name })}
        icon={<ArrowDown />}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton label={t('Delete {tag}', { tag: name })} icon={<X />} onClick={onRemove} />
    </li>
  )
}
