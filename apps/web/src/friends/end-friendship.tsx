import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/confirm.tsx'

export type Ending = 'remove' | 'block'

export interface EndedPerson {
  readonly how: Ending
  readonly userId: string
  readonly name: string
}

interface EndFriendshipProps {
  /** Nothing is asked about nobody. */
  person: EndedPerson | null
  onClose: () => void
  /** Where the focus goes once it has ended, when what opened the dialog is gone by then. */
  focusAfter?: RefObject<HTMLElement | null>
}

/** Asks before a friendship ends, be it by a block. */
export function EndFriendship({ person, onClose, focusAfter }: EndFriendshipProps) {
  const { friends } = useSession().client
  const after = focusAfter !== undefined && { focusAfter }
  if (person?.how === 'remove') {
    return (
      <Confirm
        open
        onOpenChange={onClose}
        title={t('Remove {name} as a friend?', { name: person.name })}
        action={t('Remove friend')}
        run={() => friends.remove(person.userId)}
        {...after}
      >
        <p>{t('You can become friends again by a new friend request.')}</p>
      </Confirm>
    )
  }
  if (person === null) return null
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Block {name}?', { name: person.name })}
      action={t('Block')}
      run={async () => {
        await friends.block(person.userId)
      }}
      {...after}
    >
      <p>
        {t(
          'You are not friends then, and they cannot send you friend requests. They are not told that you blocked them. In spaces that you share, you still see what the other writes.',
        )}
      </p>
    </Confirm>
  )
}
