import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { openDirect } from '#src/conversations/actions.ts'
import { conversationWords } from '#src/conversations/words.ts'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import '#src/ui/marks/kbd.css'
import '#src/ui/dialogs/modal.css'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useListKeys } from '#src/ui/lists/use-list-keys.ts'
import { DestinationRow } from './destination-row.tsx'
import { type Destination, destinations, foundDestinations } from './destinations.ts'
import './quick-switcher.css'
import { recentPaths } from './recent.ts'

interface QuickSwitcherProps {
  open: boolean
  onClose: () => void
}

/** Opens any destination by a few letters of its name. It searches the store only, so results are instant. */
export function QuickSwitcher({ open, onClose }: QuickSwitcherProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop" forceRender />
        <Dialog.Popup className="switcher" aria-label={t('Go to')} initialFocus={input}>
          <Finder input={input} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface FinderProps {
  input: React.RefObject<HTMLInputElement | null>
  onClose: () => void
}

function Finder({ input, onClose }: FinderProps) {
  const { store } = useSession()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const { go, error } = useGoing(onClose)
  // A snapshot from when the switcher opened, so that results do not move while the user chooses.
  const [known] = useState(() => {
    const here = window.location.pathname
    return { all: destinations(store.get()), recent: recentPaths().filter((path) => path !== here) }
  })
  const found = useMemo(() => foundDestinations(known.all, typed, known.recent), [known, typed])
  const index = Math.min(marked, found.length - 1)
  useListKeys(input, {
    listId,
    count: found.length,
    index,
    setIndex: setMarked,
    pick: () => go(found[index]),
    onClose,
    passesEscape: true,
  })

  return (
    <>
      <div className="switcher-field">
        <Search aria-hidden="true" />
        <input
          ref={input}
          role="combobox"
          aria-label={t('Go to a room, person or space')}
          aria-expanded={found.length > 0}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('Where to?')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setMarked(0)
          }}
        />
      </div>
      {found.length > 0 && (
        <div id={listId} role="listbox" aria-label={t('Rooms, people and spaces')} className="switcher-list">
          {found.map((destination, at) => (
            <DestinationRow
              key={destination.kind + destination.id}
              id={`${listId}-${at}`}
              destination={destination}
              isMarked={at === index}
              onMark={() => setMarked(at)}
              onGo={() => go(destination)}
            />
          ))}
        </div>
      )}
      {found.length === 0 && (
        <p className="switcher-none" role="status">
          {typed.trim() === '' ? t('No unread or recent rooms. Type a name to search.') : t('No matches.')}
        </p>
      )}
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
      <p className="switcher-hint">
        <RichText
          text={t('Type <kbd>#</kbd> for rooms, <kbd>@</kbd> for people, <kbd>*</kbd> for spaces.')}
          tags={{ kbd: (inside) => <kbd>{inside}</kbd> }}
        />
      </p>
    </>
  )
}

function useGoing(onClose: () => void) {
  const session = useSession()
  const [, navigate] = useLocation()
  const { run, error } = useAction(conversationWords)

  async function goTo({ path, id }: Destination) {
    // A user without an open conversation has no path.
    const where = path ?? `/conversations/${(await openDirect(session, id)).id}`
    onClose()
    navigate(where)
  }

  return { error, go: (destination: Destination | undefined) => destination && run(() => goTo(destination)) }
}
