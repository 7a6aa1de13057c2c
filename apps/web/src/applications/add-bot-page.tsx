import type { Application } from '@foyer/protocol/applications'
import { Permission } from '@foyer/protocol/permissions'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { AuthLayout } from '#src/auth/auth-layout.tsx'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { rightsInSpace } from '#src/permissions/rights.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { usePeople } from '#src/session/use-people.ts'
import { sortedSpaces } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import './add-bot-page.css'
import { AddToSpace } from './add-to-space.tsx'

const words = { unknown_application: t('This bot is private or no longer exists.') }

/** The page of an application's link. Asks which space to add its bot to. */
export function AddBotPage({ botUserId }: { botUserId: string }) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.applications.get(botUserId, options),
    [botUserId],
  )
  const { answer } = useAnswer(ask, words)
  if (answer.state === 'loading') return <AuthLayout title={t('Loading the bot…')} />
  if (answer.state === 'here') return <AddBot application={answer.value} />
  return (
    <AuthLayout title={t('Can’t add this bot')} lead={answer.message}>
      <Link href="/" className="button button-primary">
        {t('Continue to Foyer')}
      </Link>
    </AuthLayout>
  )
}

function AddBot({ application }: { application: Application }) {
  const { name, description, bot, bot_public: isPublic } = application
  const spaces = useManagedSpaces()
  const [chosenId, setChosenId] = useState(spaces[0]?.id ?? null)
  const chosen = spaces.find((space) => space.id === chosenId)
  return (
    <AuthLayout
      title={t('Add {name} to a space', { name })}
      lead={description}
      top={
        <div className="add-bot-top">
          <Avatar id={application.id} name={name} size="lg" picture={bot.avatar} />
          <p>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <span>
              @{bot.username} · {isPublic ? t('bot') : t('private bot')}
            </span>
            <Owner ownerId={application.owner_id} />
          </p>
        </div>
      }
    >
      {spaces.length === 0 ? (
        <p className="add-bot-note">
          {t(
            'You don’t have permission to manage bots in any of your spaces. Send this link to someone who does, or create your own space.',
          )}
        </p>
      ) : (
        <SpaceChoice spaces={spaces} chosenId={chosenId} onChoose={setChosenId} />
      )}
      {chosen !== undefined && <AddToSpace key={chosen.id} application={application} space={chosen} />}
      <p className="auth-switch">
        <Link href="/">{t('Back to Foyer')}</Link>
      </p>
    </AuthLayout>
  )
}

/** The owner of the application. Shows the unique username too, since anyone can copy a display name. */
function Owner({ ownerId }: { ownerId: string }) {
  usePeople([ownerId])
  const owner = useAppState((state) => state.users[ownerId])
  if (owner === undefined) return null
  return (
    <span>
      <RichText
        text={t('Created by <name>{name}</name>')}
        values={{ name: personName(owner) }}
        tags={{ name: (inside) => <bdi>{inside}</bdi> }}
      />
      {owner.deleted_at === null && ` · @${owner.username}`}
    </span>
  )
}

interface SpaceChoiceProps {
  spaces: readonly SpaceEntry[]
  chosenId: string | null
  onChoose: (id: string) => void
}

function SpaceChoice({ spaces, chosenId, onChoose }: SpaceChoiceProps) {
  return (
    <fieldset className="space-choice">
      <legend>{t('Space')}</legend>
      {spaces.map((space) => (
        <label key={space.id} className="space-option">
          <input
            type="radio"
            name="space"
            checked={space.id === chosenId}
            onChange={() => onChoose(space.id)}
          />
          <Avatar id={space.id} name={space.name} size="sm" />
          <span dir="auto">{space.name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The spaces in which the user may manage bots, in the order they were joined. */
function useManagedSpaces(): SpaceEntry[] {
  const spaces = useAppState((state) => state.spaces)
  return useMemo(
    () => sortedSpaces(spaces).filter((space) => rightsInSpace(space).may(Permission.ManageBots)),
    [spaces],
  )
}
