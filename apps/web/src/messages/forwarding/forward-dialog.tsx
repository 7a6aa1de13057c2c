import { limits } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { useId, useMemo, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { excerpt } from '#src/mentions/readable.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Destination } from '#src/switcher/destinations.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { forwarding, MAX_TARGETS } from './forward.ts'
import './forward-dialog.css'
import { extrasOf } from '../content/message-words.ts'
import { ForwardTarget } from './forward-target.tsx'
import { useForwardTargets } from './use-forward-targets.ts'

interface ForwardDialogProps {
  message: Message
  onClose: () => void
}

/** Forwards a message to rooms, groups and people, with an optional comment. */
export function ForwardDialog({ message, onClose }: ForwardDialogProps) {
  const { query, setQuery, found } = useForwardTargets()
  const [chosen, setChosen] = useState<readonly Destination[]>([])
  const [note, setNote] = useState('')
  const { send, isSending, problems } = useForwarding(message, onClose)
  const noteId = useId()
  const others = found.filter((target) => chosen.every(({ id }) => id !== target.id))
  const isFull = chosen.length >= MAX_TARGETS

  /** Target that Enter selects. */
  const nearest = query.trim() === '' || isFull ? undefined : others[0]

  function pickNearest() {
    if (nearest === undefined) return
    toggle(nearest)
    setQuery('')
  }

  function forwardAll() {
    if (chosen.length > 0 && !isSending) void send(chosen, note.trim()).then(setChosen)
  }

  function toggle(target: Destination) {
    const without = chosen.filter(({ id }) => id !== target.id)
    setChosen(without.length < chosen.length ? without : [...chosen, target])
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Forward to')}>
      <SearchField
        label={t('Search rooms, groups and people')}
        value={query}
        onChange={setQuery}
        onEnter={pickNearest}
      />
      <ul className="forward-targets" aria-label={t('Destinations')}>
        {[...chosen, ...others].map((target) => (
          <ForwardTarget
            key={target.id}
            target={target}
            isChosen={chosen.includes(target)}
            isNearest={target === nearest}
            isDisabled={isFull && !chosen.includes(target)}
            problem={problems[target.id]}
            onToggle={() => toggle(target)}
          />
        ))}
      </ul>
      {found.length === 0 && <p className="menu-note">{t('No rooms or people match.')}</p>}
      <Original message={message} />
      <label className="visually-hidden" htmlFor={noteId}>
        {t('Add a message (optional)')}
      </label>
      <input
        id={noteId}
        className="field-control"
        placeholder={t('Add a message (optional)')}
        maxLength={limits.messageMax}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) forwardAll()
        }}
      />
      <div className="form-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="primary" pending={isSending} disabled={chosen.length === 0} onClick={forwardAll}>
          {chosen.length > 1 ? t('Forward to {count} places', { count: chosen.length }) : t('Forward')}
        </Button>
      </div>
    </Modal>
  )
}

type Problems = Readonly<Record<string, string>>

/** Sends to one target after another. Failed targets stay selected and show the error. */
function useForwarding(message: Message, onDone: () => void) {
  const session = useSession()
  // Created once, so that a retry does not post a message twice.
  const [forward] = useState(() => forwarding(session, message))
  const [isSending, setIsSending] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  async function send(targets: readonly Destination[], note: string): Promise<readonly Destination[]> {
    setIsSending(true)
    const failed: Record<string, string> = {}
    for (const target of targets) {
      await forward(target, note).catch((error: unknown) => {
        failed[target.id] = errorMessage(error)
      })
    }
    setIsSending(false)
    setProblems(failed)
    if (Object.keys(failed).length === 0) onDone()
    return targets.filter(({ id }) => id in failed)
  }

  return { send, isSending, problems }
}

function Original({ message }: { message: Message }) {
  const channel = useChannel()
  const content = message.snapshot?.content ?? message.content
  const words = useAppState((state) => excerpt(state, channel, content))
  const name = useMemo(() => nameOfAuthor(message, channel.nameOf), [message, channel.nameOf])
  return (
    <blockquote className="message-quote forward-original">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span>{words === '' ? extrasOf(message) : words}</span>
    </blockquote>
  )
}
