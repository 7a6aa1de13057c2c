import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'

export type Ending = 'remove' | 'block'

export interface EndedPerson {
  readonly how: Ending
  readonly userId: string
  readonly name: string
  readonly isBot: boolean
}

interface EndFriendshipProps {
  person: EndedPerson
  onClose: () => void
}

/** Asks for confirmation before removing a friend or blocking a user. */
export function EndFriendship({ person, onClose }: EndFriendshipProps) {
  const { friends } = useSession().client
  if (person.how === 'remove') {
    return (
      <Confirm
        open
        onOpenChange={onClose}
        title={t('Remove {name} as a friend?', { name: person.name })}
        action={t('Remove friend')}
        run={() => friends.remove(person.userId)}
        focusAfter={mainElement}
      >
        <p>{t('You can send a new friend request at any time.')}</p>
      </Confirm>
    )
  }
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Block {name}?', { name: person.name })}
      action={t('Block')}
      run={async () => {
        await friends.block(person.userId)
      }}
      focusAfter={mainElement}
    >
      <p>
        {person.isBot
          ? t(
              'The bot can’t message you anymore. In shared spaces its messages are hidden; it can still see yours. It won’t be notified.',
            )
          : t(
              'You’ll no longer be friends and they can’t send you requests. In shared spaces their messages are hidden; they can still see yours. They won’t be notified.',
            )}
      </p>
    </Confirm>
  )
}
