import { FolderOpen, History, X } from 'lucide-react'
import { type UIEvent, useEffect, useRef, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useFocusBack } from '#src/ui/focus/use-focus-back.ts'
import { isNearEnd } from '#src/ui/is-near-end.ts'
import { wordsOfFilter } from './filter-names.ts'
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts'
import { SearchBox } from './search-box.tsx'
import { type Asked, isEmpty, nothingAsked } from './search-filters.ts'
import './search-panel.css'
import { SearchResults } from './search-results.tsx'
import { useNameable } from './use-nameable.ts'
import { type SearchScope, useSearch } from './use-search.ts'

interface SearchPanelProps {
  scope: SearchScope
  channel: OpenChannel
  onClose: () => void
  /** Called when a result is opened. */
  onOpen: () => void
  /** Shows the files instead. */
  onFiles: () => void
}

export function SearchPanel({ scope, channel, onClose, onOpen, onFiles }: SearchPanelProps) {
  const myId = useAppState((state) => state.me?.id ?? '')
  const { found, search, more } = useSearch(scope)
  const [asked, setAsked] = useState<Asked>(nothingAsked)
  const nameable = useNameable(scope, channel, asked.text)
  const input = useRef<HTMLInputElement>(null)
  const key = `${myId}.${scope.id}`
  const label = t('Search {name}', { name: scope.name })
  const onFocus = useFocusBack(true)

  useEffect(() => input.current?.focus(), [])

  function begin(next: Asked) {
    setAsked(next)
    if (!isEmpty(next)) rememberSearch(key, next)
    void search(next)
  }

  function onScroll({ currentTarget }: UIEvent<HTMLElement>) {
    if (isNearEnd(currentTarget)) void more()
  }

  return (
    <aside className="search-panel" aria-label={label} onFocus={onFocus} data-keeps-focus>
      <header className="search-header">
        <h2>{t('Search')}</h2>
        <IconButton label={t('Close search')} icon={<X />} onClick={onClose} />
      </header>
      <search>
        <SearchBox
          label={label}
          asked={asked}
          nameable={nameable}
          input={input}
          onChange={setAsked}
          onSearch={begin}
          onClose={onClose}
        />
      </search>
      <div className="search-results" onScroll={onScroll}>
        {found.state === 'nothing asked' && (
          <>
            <button type="button" className="search-files" onClick={onFiles}>
              <FolderOpen aria-hidden="true" />
              {t('All pictures, videos and files')}
            </button>
            <Recent storageKey={key} onPick={begin} />
          </>
        )}
        <SearchResults
          found={found}
          nameOf={channel.nameOf}
          onMore={() => void more()}
          onAgain={() => void search(asked)}
          onOpen={onOpen}
        />
      </div>
    </aside>
  )
}

/** The list of recent searches. */
function Recent({ storageKey, onPick }: { storageKey: string; onPick: (asked: Asked) => void }) {
  const [recent, setRecent] = useState(() => recentSearches(storageKey))
  if (recent.length === 0) return null
  return (
    <section className="search-recent">
      <header>
        <h3>{t('Recent searches')}</h3>
        <Button
          look="text"
          onClick={() => {
            forgetSearches(storageKey)
            setRecent([])
          }}
        >
          {t('Clear all')}
        </Button>
      </header>
      <ul>
        {recent.map((asked) => (
          <li key={wordsOf(asked)}>
            <button type="button" className="search-recent-one" onClick={() => onPick(asked)}>
              <History aria-hidden="true" />
              {wordsOf(asked)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function wordsOf({ text, filters }: Asked): string {
  const words = filters.map(wordsOfFilter)
  return [...words.map(({ kind, label }) => `${kind}: ${label}`), text.trim()]
    .filter((word) => word !== '')
    .join(' ')
}
