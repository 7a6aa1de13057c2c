import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/confirm.tsx'

interface EndProps {
  userId: string
  name: string
  onClose: () => void
}

export function RemoveFriend({ userId, name, onClose }: EndProps) {
  const { client } = useSession()
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Remove ${name} as a friend?`}
      action="Remove friend"
      run={() => client.friends.remove(userId)}
    >
      <p>You can become friends again by a new friend request.</p>
    </Confirm>
  )
}

export function BlockPerson({ userId, name, onClose }: EndProps) {
  const { client } = useSession()
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Block ${name}?`}
      action="Block"
      run={async () => {
        await client.friends.block(userId)
      }}
    >
      <p>
        You are not friends any more then, and they cannot send you friend requests. They are not told. In
        spaces that you share you still see what the other writes.
      </p>
    </Confirm>
  )
}
