import type { Application } from '@foyer/protocol/applications'
import type { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions } from '@foyer/sdk/rest'
import { CircleCheck } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'

interface AddToSpaceProps {
  application: Application
  space: SpaceEntry
}

/** The button that adds the bot to a space, or a link to the space if the bot is already a member. */
export function AddToSpace({ application, space }: AddToSpaceProps) {
  const { client } = useSession()
  const { id, name } = application
  const ask = useCallback(
    (asked: Client, options: CallOptions) => isMember(asked, { spaceId: space.id, userId: id }, options),
    [space.id, id],
  )
  const { answer } = useAnswer(ask)
  const [added, setAdded] = useState(false)
  const action = useAction({
    bot_not_public: t('{name} is private. Its owner has to make it public before anyone can add it.', {
      name,
    }),
    bot_banned: t('{name} is banned from {space}. Lift the ban in the space settings first.', {
      name,
      space: space.name,
    }),
    unknown_bot: t('{name} no longer exists.', { name }),
  })
  const isThere = added || (answer.state === 'here' && answer.value)

  async function add() {
    await client.members.addBot(space.id, id)
    setAdded(true)
  }

  if (isThere) {
    return (
      <>
        <p role="status" className="add-bot-done">
          <CircleCheck aria-hidden="true" />
          {added
            ? t('{name} is now in {space}.', { name, space: space.name })
            : t('{name} is already in {space}.', { name, space: space.name })}
        </p>
        <Link href={`/spaces/${space.id}`} className="button button-primary">
          {t('Open {name}', { name: space.name })}
        </Link>
      </>
    )
  }
  return (
    <>
      <p className="add-bot-note">
        {t('It gets the same permissions as regular members. Add roles for more.')}
      </p>
      <Button
        look="primary"
        pending={action.pending || answer.state === 'loading'}
        onClick={() => action.run(add)}
      >
        {t('Add to {name}', { name: space.name })}
      </Button>
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </>
  )
}

interface MemberKey {
  spaceId: string
  userId: string
}

async function isMember(
  client: Client,
  { spaceId, userId }: MemberKey,
  options: CallOptions,
): Promise<boolean> {
  try {
    await client.members.get(spaceId, userId, options)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_member') return false
    throw error
  }
}
