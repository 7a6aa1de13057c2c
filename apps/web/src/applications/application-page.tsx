import type { Application } from '@foyer/protocol/applications'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { addBotLink } from './add-bot-link.ts'
import { ApplicationCommands } from './application-commands.tsx'
import {
  ApplicationFields,
  applicationFields,
  checkApplication,
  readApplication,
} from './application-fields.tsx'
import { BotToken } from './bot-token.tsx'
import { DeleteApplication } from './delete-application.tsx'

interface ApplicationPageProps {
  application: Application
  /** The bot's token if the application was just created, otherwise null. */
  newToken: string | null
  onBack: () => void
  onChange: (application: Application) => void
  onDelete: () => void
}

/** The settings of one of the user's applications. */
export function ApplicationPage({ application, newToken, onBack, onChange, onDelete }: ApplicationPageProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <div className="application-page">
      <Button look="text" className="application-back" onClick={onBack}>
        <ArrowLeft aria-hidden="true" /> {t('Back to applications')}
      </Button>
      <header className="application-head">
        <Avatar id={application.id} name={application.name} size="lg" picture={application.bot.avatar} />
        <div>
          <h4>
            <bdi>{application.name}</bdi>
          </h4>
          <p className="application-handle">@{application.bot.username}</p>
        </div>
      </header>
      <section className="settings-block">
        <h5>{t('Bot token')}</h5>
        <BotToken application={application} newToken={newToken} />
      </section>
      <section className="settings-block">
        <h5>{t('Add the bot to a space')}</h5>
        <p className="settings-note">
          {application.bot_public
            ? t('Open this link, or share it with anyone who manages a space’s bots.')
            : t('The link works once the bot is public.')}
        </p>
        <CopyRow
          label={t('Link to add the bot')}
          action={t('Copy link')}
          value={addBotLink(application.id)}
        />
      </section>
      <section className="settings-block">
        <h5>{t('Commands')}</h5>
        <ApplicationCommands applicationId={application.id} />
      </section>
      <section className="settings-block">
        <h5>{t('Application details')}</h5>
        <EditApplication application={application} onChange={onChange} />
      </section>
      <section className="settings-block">
        <h5>{t('Delete application')}</h5>
        <p className="settings-note">{t('The bot leaves all spaces and its token stops working.')}</p>
        <div className="form-actions">
          <Button look="danger" onClick={() => setDeleting(true)}>
            {t('Delete application…')}
          </Button>
        </div>
      </section>
      {deleting && (
        <DeleteApplication application={application} onClose={() => setDeleting(false)} onDelete={onDelete} />
      )}
    </div>
  )
}

interface EditApplicationProps {
  application: Application
  onChange: (application: Application) => void
}

function EditApplication({ application, onChange }: EditApplicationProps) {
  const { client } = useSession()
  const [saved, setSaved] = useState(false)

  async function save(values: Values) {
    setSaved(false)
    onChange(await client.applications.update(application.id, readApplication(values)))
    setSaved(true)
  }

  return (
    <SubmitForm fields={applicationFields} check={checkApplication} submit={save} guardsChanges>
      {(pending) => (
        <>
          <ApplicationFields application={application} />
          <div className="form-actions">
            <span role="status" className="saved-note">
              {saved && t('Saved.')}
            </span>
            <Button type="submit" pending={pending}>
              {t('Save changes')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
