import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/confirm.tsx'
import { mainElement } from '#src/ui/main-element.ts'

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
        <p>{t('You can become friends again by a new friend request.')}</p>
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
              'The bot cannot write to you then, and is not told that you blocked it. In spaces that you share, what it writes is folded up. It still sees what you write.',
            )
          : t(
              'You are not friends then, and they cannot send you friend requests. They are not told that you blocked them. In spaces and groups that you share, what they write is folded up. They still see what you write.',
            )}
      </p>
    </Confirm>
  )
}
