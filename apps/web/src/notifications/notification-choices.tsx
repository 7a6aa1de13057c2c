import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { type NotificationLevel, notificationLevels } from '@foyer/protocol/notifications'
import { BellOff } from 'lucide-react'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { levelAbove } from '#src/store/notification-settings.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { changeSetting } from './change-setting.ts'
import { mutedWords, muteTimes } from './mute-times.ts'
import './notification-choices.css'
import { levelWords, type NotificationTarget } from './notification-target.ts'

interface NotificationChoicesProps {
  target: NotificationTarget
  onClose: () => void
}

/** The dialog to mute a space, room or conversation and choose its notifications. Applies immediately. */
export function NotificationChoices({ target, onClose }: NotificationChoicesProps) {
  const session = useSession()
  const action = useAction()
  const setting = useAppState((state) => state.notificationSettings[target.id])
  const change = (next: Parameters<typeof changeSetting>[2]) =>
    action.run(() => changeSetting(session, target, next))
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Notifications')}
      description={t('{name}, on all your devices', { name: target.name })}
    >
      <Mute
        until={setting?.muted_until ?? null}
        onChange={(muted_until) => change({ muted_until })}
        isSpace={target.scope === 'space'}
      />
      <Levels target={target} level={setting?.level ?? null} onChange={(level) => change({ level })} />
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </Modal>
  )
}

interface MuteProps {
  until: string | null
  onChange: (until: string | null) => void
  isSpace: boolean
}

function Mute({ until, onChange, isSpace }: MuteProps) {
  const id = useId()
  return (
    <section className="notice-block" aria-labelledby={id}>
      <h3 id={id}>{t('Mute')}</h3>
      <p role="status" className="notice-muted">
        {until === null ? (
          muteNote(isSpace)
        ) : (
          <>
            <BellOff aria-hidden="true" /> {mutedWords(until, serverNow())}
          </>
        )}
      </p>
      {until === null ? (
        <div className="notice-times">
          {muteTimes.map(({ label, until: endOf }) => (
            <Button key={label} onClick={() => onChange(endOf(serverNow()))}>
              {label}
            </Button>
          ))}
        </div>
      ) : (
        <div>
          <Button onClick={() => onChange(null)}>{t('Unmute')}</Button>
        </div>
      )}
    </section>
  )
}

function muteNote(isSpace: boolean): string {
  return isSpace
    ? t('While the space is muted, nothing in it shows as unread or notifies you, not even mentions.')
    : t('While muted, it won’t show as unread or notify you, even for mentions.')
}

interface LevelsProps {
  target: NotificationTarget
  level: NotificationLevel | null
  onChange: (level: NotificationLevel | null) => void
}

/** The radio value of level null, which only rooms offer: it follows the setting of the space. */
const INHERITED = 'inherited'

function Levels({ target, level, onChange }: LevelsProps) {
  const id = useId()
  const above = useAppState((state) => levelAbove(state, target.id))
  const isRoom = target.scope === 'room'
  const chosen = level ?? (isRoom ? INHERITED : above)
  const choose = (value: NotificationLevel | typeof INHERITED) => onChange(value === INHERITED ? null : value)
  return (
    <section className="notice-block">
      <h3 id={id}>{t('Notify me about')}</h3>
      <RadioGroup aria-labelledby={id} className="notice-levels" value={chosen} onValueChange={choose}>
        {isRoom && (
          <Level value={INHERITED} label={t('Space default ({level})', { level: levelWords[above] })} />
        )}
        {notificationLevels.map((value) => (
          <Level key={value} value={value} label={levelWords[value]} />
        ))}
      </RadioGroup>
    </section>
  )
}

function Level({ value, label }: { value: NotificationLevel | typeof INHERITED; label: string }) {
  const id = useId()
  return (
    <Radio.Root value={value} className="notice-level" aria-labelledby={id}>
      <span className="notice-mark" aria-hidden="true" />
      <span id={id}>{label}</span>
    </Radio.Root>
  )
}
