import type { MemberWithUser } from '@foyer/protocol/members'
import type { Client } from '@foyer/sdk/client'
import { type RefObject, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { checkUsername } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { asUsername } from '#src/ui/fields/typed-username.ts'
import { botIdOf } from './bot-id.ts'

interface BotsSectionProps {
  space: SpaceEntry
  /** Closes the settings: bots are added on a separate page. */
  onLeave: () => void
}

/** The bots of the space, and a form to add more. */
export function BotsSection({ space, onLeave }: BotsSectionProps) {
  const search = useRef<HTMLInputElement>(null)
  return (
    <>
      <AddBot onLeave={onLeave} />
      <MemberFinder
        space={space}
        accepts={(member) => member.user.is_bot}
        label={t('Search bots')}
        nobody={t('No bots yet. Add a bot above.')}
        input={search}
      >
        {(member, name) => (
          <li key={member.id} className="settings-row">
            <MemberName space={space} member={member} name={name} />
            <RemoveBot space={space} member={member} name={name} focusAfter={search} />
          </li>
        )}
      </MemberFinder>
    </>
  )
}

function AddBot({ onLeave }: { onLeave: () => void }) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState('')
  const words = { unknown_user: t('No bot with that name. Check the spelling.') }

  async function open({ bot = '' }: Values) {
    const id = botIdOf(bot) ?? (await findBot(client, asUsername(bot)))
    if (id === null) return setProblem(t('That’s a person. You can only add bots here.'))
    onLeave()
    navigate(`/add-bot/${id}`)
  }

  return (
    <div className="finder" onInput={() => setProblem('')}>
      <SubmitForm fields={['bot']} check={check} submit={open} words={words}>
        {(pending) => (
          <div className="field-and-button">
            <TextField
              name="bot"
              label={t('Add a bot')}
              hint={t('Its username, or the link or ID its developer gave you.')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <Button type="submit" look="primary" pending={pending}>
              {t('Add bot')}
            </Button>
          </div>
        )}
      </SubmitForm>
      <p role="alert" hidden={problem === ''} className="form-error">
        {problem}
      </p>
    </div>
  )
}

function check({ bot = '' }: Values): FormErrors {
  const isReadable = botIdOf(bot) !== null || checkUsername(asUsername(bot)).username === undefined
  return isReadable ? {} : { bot: t('Enter the bot’s username, link or ID.') }
}

/** Null if the username belongs to a person. */
async function findBot(client: Client, username: string): Promise<string | null> {
  const { id, is_bot } = await client.users.find(username)
  return is_bot ? id : null
}

interface RemoveBotProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  focusAfter: RefObject<HTMLElement | null>
}

function RemoveBot({ space, member, name, focusAfter }: RemoveBotProps) {
  const { client } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={t('Remove {name}', { name })} onClick={() => setOpen(true)}>
        {t('Remove')}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Remove {name}?', { name })}
        action={t('Remove')}
        run={() => client.members.removeBot(space.id, member.id)}
        focusAfter={focusAfter}
      >
        <p>{t('The bot leaves {name} immediately. You can add it again later.', { name: space.name })}</p>
      </Confirm>
    </>
  )
}
