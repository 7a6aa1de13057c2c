import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { type NotificationLevel, notificationLevels } from '@foyer/protocol/notifications'
import { BellOff } from 'lucide-react'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { levelAbove } from '#src/store/notification-settings.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { serverNow } from '#src/ui/server-clock.ts'
import { useAction } from '#src/ui/use-action.ts'
import { changeSetting } from './change-setting.ts'
import { mutedWords, muteTimes } from './mute-times.ts'
import './notification-choices.css'
import { levelWords, type NotificationPlace } from './place.ts'

interface NotificationChoicesProps {
  place: NotificationPlace
  onClose: () => void
}

/** Of what one is told there, and whether it is muted. It counts at once. */
export function NotificationChoices({ place, onClose }: NotificationChoicesProps) {
  const session = useSession()
  const action = useAction()
  const setting = useAppState((state) => state.notificationSettings[place.id])
  const change = (next: Parameters<typeof changeSetting>[2]) =>
    action.run(() => changeSetting(session, place, next))
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Notifications')}
      description={t('{name}, on all your devices', { name: place.name })}
    >
      <Mute
        until={setting?.muted_until ?? null}
        onChange={(muted_until) => change({ muted_until })}
        isSpace={place.scope === 'space'}
      />
      <Levels place={place} level={setting?.level ?? null} onChange={(level) => change({ level })} />
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
    ? t('Nothing in it is shown as unread, and you are told of nothing, mentions included.')
    : t('It is not shown as unread, and you are told of nothing, mentions included.')
}

interface LevelsProps {
  place: NotificationPlace
  level: NotificationLevel | null
  onChange: (level: NotificationLevel | null) => void
}

/** What stands for null: only rooms have something above them that may be another one some day. */
const ABOVE = 'above'

function Levels({ place, level, onChange }: LevelsProps) {
  const id = useId()
  const above = useAppState((state) => levelAbove(state, place.id))
  const isRoom = place.scope === 'room'
  const chosen = level ?? (isRoom ? ABOVE : above)
  const choose = (value: NotificationLevel | typeof ABOVE) => onChange(value === ABOVE ? null : value)
  return (
    <section className="notice-block">
      <h3 id={id}>{t('Tell me of')}</h3>
      <RadioGroup aria-labelledby={id} className="notice-levels" value={chosen} onValueChange={choose}>
        {isRoom && <Level value={ABOVE} label={t('As the space: {level}', { level: levelWords[above] })} />}
        {notificationLevels.map((value) => (
          <Level key={value} value={value} label={levelWords[value]} />
        ))}
      </RadioGroup>
    </section>
  )
}

function Level({ value, label }: { value: NotificationLevel | typeof ABOVE; label: string }) {
  const id = useId()
  return (
    <Radio.Root value={value} className="notice-level" aria-labelledby={id}>
      <span className="notice-mark" aria-hidden="true" />
      <span id={id}>{label}</span>
    </Radio.Root>
  )
}
