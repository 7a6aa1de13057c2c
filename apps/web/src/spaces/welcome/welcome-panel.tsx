import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Check, Hash, ImagePlus, MessageCircle, UserPlus, X } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { focusComposer } from '#src/messages/composer/composer-focus.ts'
import { CreateRoomDialog } from '#src/rooms/creation/create-room-dialog.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { copyText, notCopied } from '#src/ui/buttons/clipboard.ts'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { inviteLink } from '../invites/invite-link.ts'
import { endSetup, markInvited, type SetupProgress, setupProgress } from '../setup-progress.ts'
import './welcome-panel.css'

const SpaceSettings = lazyComponent(() =>
  import('../settings/space-settings.tsx').then((module) => module.SpaceSettings),
)

/** Setup steps in the rooms of a new space, until they are done or hidden. */
export function WelcomePanel({ room }: { room: Room }) {
  const space = useAppState((state) => state.spaces[room.space_id])
  const [progress, setProgress] = useState(() => setupProgress(room.space_id))
  const [isOver, setIsOver] = useState(false)
  if (space === undefined || progress === undefined || isOver) return null

  function end() {
    endSetup(room.space_id)
    setIsOver(true)
  }

  function invited() {
    markInvited(room.space_id)
    setProgress(setupProgress(room.space_id))
  }

  return <Steps room={room} space={space} progress={progress} onInvited={invited} onEnd={end} />
}

interface StepsProps {
  room: Room
  space: SpaceEntry
  progress: SetupProgress
  onInvited: () => void
  onEnd: () => void
}

function Steps({ room, space, progress, onInvited, onEnd }: StepsProps) {
  const roomCount = useAppState(
    ({ rooms }) =>
      Object.values(rooms).filter(({ space_id, type }) => space_id === space.id && type !== RoomType.Category)
        .length,
  )
  const hasSpoken = useAppState(({ rooms }) =>
    Object.values(rooms).some(({ space_id, last_seq }) => space_id === space.id && last_seq > 0),
  )
  const [open, setOpen] = useState<'room' | 'picture' | null>(null)
  const invitation = useInvitation(room, onInvited)
  const close = () => setOpen(null)
  const done = {
    invite: progress.hasInvited || space.member_count > 1,
    room: roomCount > progress.roomCount,
    picture: space.icon !== null,
    hello: hasSpoken,
  }
  const isDone = Object.values(done).every((step) => step) && open === null

  useEffect(() => {
    if (isDone) onEnd()
  }, [isDone, onEnd])

  return (
    <section className="welcome" aria-labelledby="welcome-title">
      <header>
        <h3 id="welcome-title">{t('Set up your space')}</h3>
        <IconButton label={t('Hide these steps')} icon={<X />} onClick={onEnd} />
      </header>
      <ul>
        <Step icon={<UserPlus />} isDone={done.invite} onClick={invitation.make}>
          {t('Invite people')}
        </Step>
        <Step icon={<Hash />} isDone={done.room} onClick={() => setOpen('room')}>
          {t('Create a room')}
        </Step>
        <Step icon={<ImagePlus />} isDone={done.picture} onClick={() => setOpen('picture')}>
          {t('Add a picture')}
        </Step>
        <Step icon={<MessageCircle />} isDone={done.hello} onClick={() => focusComposer()}>
          {t('Say hello')}
        </Step>
      </ul>
      {invitation.link !== null && (
        <CopyRow label={t('Invite link')} action={t('Copy link')} value={invitation.link} />
      )}
      <p role="status" className={invitation.notice === null ? 'visually-hidden' : 'welcome-notice'}>
        {invitation.notice}
      </p>
      {open === 'room' && <CreateRoomDialog spaceId={space.id} parentId={room.parent_id} onClose={close} />}
      <Suspense>{open === 'picture' && <SpaceSettings space={space} onClose={close} />}</Suspense>
    </section>
  )
}

interface StepProps {
  icon: ReactNode
  isDone: boolean
  onClick: () => void
  children: ReactNode
}

function Step({ icon, isDone, onClick, children }: StepProps) {
  return (
    <li>
      <button type="button" className="welcome-step" data-done={isDone || undefined} onClick={onClick}>
        <span className="welcome-mark" aria-hidden="true">
          {isDone ? <Check /> : icon}
        </span>
        {children}
        {isDone && <span className="visually-hidden">{t('Done')}</span>}
      </button>
    </li>
  )
}

/** Creates one link and copies it. The link is also shown, because some browsers refuse to copy. */
function useInvitation(room: Room, onInvited: () => void) {
  const { client } = useSession()
  const { run, error } = useAction()
  const [link, setLink] = useState<string | null>(null)
  const [isCopied, setIsCopied] = useState<boolean | null>(null)

  async function copy() {
    const made = link ?? inviteLink((await client.invites.create(room.space_id, room.id)).code)
    setLink(made)
    setIsCopied(await copyText(made))
    onInvited()
  }

  const copiedWords =
    isCopied === false ? notCopied : t('Link copied. Send it to the people you want to invite.')
  return { link, notice: error ?? (isCopied === null ? null : copiedWords), make: () => run(copy) }
}
