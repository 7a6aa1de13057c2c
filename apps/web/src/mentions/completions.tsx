import { AtSign, Hash, Shield } from 'lucide-react'
import { type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { pictureUrl } from '#src/images/picture-url.ts'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import '#src/ui/popups/menu.css'
import { useListKeys } from '#src/ui/lists/use-list-keys.ts'
import type { CompletionQuery } from './completion-query.ts'
import './completions.css'
import { isClosed, type Suggestion, spelledOut } from './suggestions.ts'
import { useSuggestions } from './use-suggestions.ts'

interface CompletionsProps {
  query: CompletionQuery
  /** The text field, which keeps the focus. */
  input: RefObject<HTMLElement | null>
  onPick: (suggestion: Suggestion) => void
  /** Called when a name is typed in full. */
  onSpelled: (suggestion: Suggestion) => void
  onClose: () => void
}

const titles = { '@': t('People and roles'), '#': t('Rooms'), ':': t('Emoji') } as const

/** Suggestions above the text field. */
export function Completions({ query, input, onPick, onSpelled, onClose }: CompletionsProps) {
  const suggestions = useSuggestions(query)
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, suggestions.length - 1)

  useListKeys(input, {
    listId: id,
    count: suggestions.length,
    index,
    setIndex: setChosen,
    onClose,
    pick: () => {
      const suggestion = suggestions[index]
      if (suggestion !== undefined) onPick(suggestion)
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query selects the first match
  useEffect(() => setChosen(0), [query.query])

  const spelled = useMemo(() => spelledOut(suggestions, query.query), [suggestions, query.query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per name
  useEffect(() => {
    if (spelled !== null) onSpelled(spelled)
  }, [spelled])

  if (suggestions.length === 0 || isClosed(query.query)) return null
  return (
    <div className="popover completions">
      <p className="completions-heading">{titles[query.kind]}</p>
      <div id={id} role="listbox" aria-label={titles[query.kind]} className="completions-list">
        {suggestions.map((suggestion, at) => (
          <button
            key={suggestion.key}
            id={`${id}-${at}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            className="completion"
            // Keeps the focus in the text field.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setChosen(at)}
            onClick={() => onPick(suggestion)}
          >
            <Picture suggestion={suggestion} />
            <span className="completion-label">{suggestion.label}</span>
            {suggestion.kind !== 'emoji' && <span className="completion-detail">{suggestion.detail}</span>}
          </button>
        ))}
      </div>
    </div>
  )
}

function Picture({ suggestion: { kind, key, text, label, detail } }: { suggestion: Suggestion }) {
  if (kind === 'user') return <Avatar id={key} name={label} size="sm" />
  if (kind === 'emoji')
    return (
      <span className="completion-emoji" aria-hidden="true">
        {detail === '' ? text : <img src={pictureUrl(detail)} alt="" />}
      </span>
    )
  const icons = { role: Shield, room: Hash, everyone: AtSign }
  const Icon = icons[kind]
  return (
    <span className="completion-icon">
      <Icon aria-hidden="true" />
    </span>
  )
}
