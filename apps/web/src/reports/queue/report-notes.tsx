import type { ReportNote } from '@foyer/protocol/reports'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { checkLength, countText } from '../report-text.ts'
import { reportDoor } from './report-door.ts'
import { useQueueEvent } from './use-queue-event.ts'

interface ReportNotesProps {
  /** Id of the element that names the report. */
  titleId: string
  spaceId: string | null
  reportId: string
}

/** Internal notes of the people who handle a report. They are loaded when the part is opened. */
export function ReportNotes(props: ReportNotesProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="report-notes" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary aria-describedby={props.titleId}>{t('Notes')}</summary>
      {isOpen && <Notes {...props} />}
    </details>
  )
}

function Notes({ spaceId, reportId, titleId }: ReportNotesProps) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => reportDoor(client, spaceId).listNotes(reportId, options),
    [spaceId, reportId],
  )
  const { answer, again, change } = useAnswer(ask)
  /** Number of notes that the user has added here. It is the key of the form, so the field is empty after each note. */
  const [added, setAdded] = useState(0)
  useQueueEvent(spaceId, again)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  return (
    <>
      {answer.value.length > 0 && (
        <ul aria-label={t('Notes')}>
          {answer.value.map((note) => (
            <Note key={note.id} note={note} />
          ))}
        </ul>
      )}
      <NewNote
        key={added}
        spaceId={spaceId}
        reportId={reportId}
        titleId={titleId}
        onAdded={(notes) => {
          setAdded((count) => count + 1)
          change(() => notes)
        }}
      />
    </>
  )
}

function Note({ note: { author, text, created_at } }: { note: ReportNote }) {
  return (
    <li>
      <p className="settings-note">
        <strong>
          <bdi>{personName(author)}</bdi>
        </strong>
        <time dateTime={created_at} title={formatFull(created_at)}>
          {formatAgo(created_at)}
        </time>
      </p>
      <p className="report-words" dir="auto">
        {text}
      </p>
    </li>
  )
}

interface NewNoteProps extends ReportNotesProps {
  onAdded: (notes: ReportNote[]) => void
}

function NewNote({ spaceId, reportId, titleId, onAdded }: NewNoteProps) {
  const { client } = useSession()
  const [text, setText] = useState('')

  async function add({ text: typed = '' }: Values) {
    onAdded(await reportDoor(client, spaceId).addNote(reportId, { text: typed.trim() }))
  }

  return (
    <SubmitForm
      fields={['text']}
      check={({ text: typed = '' }) => ({
        ...(typed.trim() === '' && { text: t('Write a note first.') }),
        ...checkLength('text', typed),
      })}
      submit={add}
      guardsChanges
    >
      {(pending) => (
        <>
          <TextField
            name="text"
            label={t('New note')}
            hint={countText(text) ?? t('Only people who handle reports can see it.')}
            autoComplete="off"
            render={<textarea rows={2} />}
            onValueChange={setText}
          />
          <div className="form-actions">
            <Button type="submit" pending={pending} aria-describedby={titleId}>
              {t('Add note')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
