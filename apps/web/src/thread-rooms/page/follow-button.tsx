import { Menu } from '@base-ui/react/menu'
import { type FollowLevel, followLevels } from '@foyer/protocol/thread-rooms'
import { Bell, BellOff, BellRing, Check } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { levelWords } from '#src/notifications/notification-target.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { PopupMenu } from '#src/ui/popups/popup-menu.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { threadWords } from '../names/thread-words.ts'
import { changeFollow } from './changes.ts'

const levels: Readonly<Record<FollowLevel, string>> = {
  all: levelWords.all,
  mentions: levelWords.mentions,
  muted: levelWords.none,
}

/** A menu to choose which messages of the thread notify the user. */
export function FollowButton({ entry }: { entry: ThreadEntry }) {
  const session = useSession()
  const { isWanted, trigger, popup } = usePopup({ kind: 'menu' })
  const { follow } = entry
  const words = threadWords(entry.thread)
  const label = follow === null ? words.follow : words.notifications
  // An error needs no message, since the choice visibly stays as it was.
  const choose = (level: FollowLevel | null) =>
    void changeFollow(session, entry, level).catch(() => undefined)
  return (
    <>
      <IconButton {...trigger} label={label} icon={iconOf(follow)} />
      {isWanted && (
        <PopupMenu popup={popup} label={label}>
          <Menu.RadioGroup value={follow} onValueChange={choose}>
            {followLevels.map((level) => (
              <Menu.RadioItem key={level} value={level} closeOnClick className="menu-item">
                <span className="thread-level-mark">
                  <Menu.RadioItemIndicator>
                    <Check aria-hidden="true" />
                  </Menu.RadioItemIndicator>
                </span>
                {levels[level]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {follow !== null && (
            <Menu.Item className="menu-item" onClick={() => choose(null)}>
              <BellOff aria-hidden="true" /> {t('Stop following')}
            </Menu.Item>
          )}
        </PopupMenu>
      )}
    </>
  )
}

function iconOf(follow: FollowLevel | null) {
  if (follow === null) return <Bell />
  return follow === 'muted' ? <BellOff /> : <BellRing />
}
