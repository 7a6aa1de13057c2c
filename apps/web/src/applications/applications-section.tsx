import type { Application } from '@foyer/protocol/applications'
import { MAX_APPLICATIONS } from '@foyer/protocol/limits'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Bot, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { ApplicationPage } from './application-page.tsx'
import './applications.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { CreateApplicationDialog } from './create-application-dialog.tsx'

interface Shown {
  readonly id: string
  /** The bot's token if the application was just created, otherwise null. */
  readonly token: string | null
}

/** The applications of the user, with a page for each. */
export function ApplicationsSection() {
  const { answer, again, change } = useAnswer(listApplications)
  const [creating, setCreating] = useState(false)
  const [shown, setShown] = useState<Shown | null>(null)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') {
    return <LoadError message={answer.message} again={again} />
  }
  const applications = answer.value
  const current = applications.find((application) => application.id === shown?.id)
  if (current !== undefined && shown !== null) {
    return (
      <ApplicationPage
        key={current.id}
        application={current}
        newToken={shown.token}
        onBack={() => setShown(null)}
        onChange={(next) => change((all) => all.map((other) => (other.id === next.id ? next : other)))}
        onDelete={() => change((all) => all.filter((other) => other.id !== current.id))}
      />
    )
  }
  return (
    <div className="settings-block">
      {applications.length === 0 ? (
        <EmptyNote icon={<Bot />} title={t('No applications yet')}>
          {t('Applications have bots: accounts your programs use to read and post messages.')}
        </EmptyNote>
      ) : (
        <ul className="application-list">
          {applications.map((application) => (
            <li key={application.id}>
              <ApplicationRow application={application} onOpen={(id) => setShown({ id, token: null })} />
            </li>
          ))}
        </ul>
      )}
      {applications.length < MAX_APPLICATIONS ? (
        <div className="application-create">
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" /> {t('Create application')}
          </Button>
        </div>
      ) : (
        <p className="settings-note">
          {t('You’ve reached the limit of {max} applications. Delete one to create another.', {
            max: MAX_APPLICATIONS,
          })}
        </p>
      )}
      {creating && (
        <CreateApplicationDialog
          onClose={() => setCreating(false)}
          onCreated={({ application, token }) => {
            change((all) => [...all, application])
            setShown({ id: application.id, token })
          }}
        />
      )}
    </div>
  )
}

function ApplicationRow({ application, onOpen }: { application: Application; onOpen: (id: string) => void }) {
  const { id, name, bot, bot_public: isPublic } = application
  return (
    <button type="button" className="application-row" onClick={() => onOpen(id)}>
      <Avatar id={id} name={name} picture={bot.avatar} />
      <span className="application-names">
        <span className="application-name" dir="auto">
          {name}
        </span>
        <span className="application-handle">
          @{bot.username} · {isPublic ? t('public') : t('private')}
        </span>
      </span>
      <ChevronRight aria-hidden="true" />
    </button>
  )
}

function listApplications(client: Client, options: CallOptions): Promise<Application[]> {
  return client.applications.list(options)
}
