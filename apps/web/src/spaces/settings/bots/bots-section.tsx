import type { MemberWithUser } from '@foyer/protocol/members'
import { type RefObject, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { Confirm } from '#src/ui/confirm.tsx'
import { TextField } from '#src/ui/field.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import { MemberFinder } from '../members/member-finder.tsx'
import { MemberName } from '../members/member-name.tsx'
import { botIdOf } from './bot-id.ts'

interface BotsSectionProps {
  space: SpaceEntry
  /** Adding a bot has a page of its own. */
  onLeave: () => void
}

/** The bots of the space, and where others are added. */
export function BotsSection({ space, onLeave }: BotsSectionProps) {
  const search = useRef<HTMLInputElement>(null)
  return (
    <>
      <AddBot onLeave={onLeave} />
      <MemberFinder
        space={space}
        accepts={(member) => member.user.is_bot}
        label={t('Find a bot')}
        nobody={t('There are no bots here yet.')}
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
  const [, navigate] = useLocation()
  const check = ({ bot = '' }: Values) =>
    botIdOf(bot) === null ? { bot: t('Paste a link like …/add-bot/0197…, or the id at its end.') } : {}

  async function open({ bot = '' }: Values) {
    onLeave()
    navigate(`/add-bot/${botIdOf(bot)}`)
  }

  return (
    <SubmitForm fields={['bot']} check={check} submit={open}>
      {(pending) => (
        <div className="field-and-button">
          <TextField
            name="bot"
            label={t('Add a bot')}
            hint={t('Who made the bot can give you its link.')}
            autoComplete="off"
            placeholder={t('Link or id')}
          />
          <Button type="submit" look="primary" pending={pending}>
            {t('Add bot')}
          </Button>
        </div>
      )}
    </SubmitForm>
  )
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
        <p>{t('The bot leaves {name} at once. It can be added again.', { name: space.name })}</p>
      </Confirm>
    </>
  )
}
