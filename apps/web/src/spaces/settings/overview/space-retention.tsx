import { RetentionField } from '#src/rooms/retention/retention-field.tsx'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'

/** Sets how many days messages are kept in rooms without their own setting. */
export function SpaceRetention({ space }: { space: SpaceEntry }) {
  const { client, store } = useSession()
  const save = async (retention_days: number | null) =>
    store.adopt('SPACE_UPDATE', await client.spaces.update(space.id, { retention_days }))
  return <RetentionField days={space.retention_days} save={save} />
}
