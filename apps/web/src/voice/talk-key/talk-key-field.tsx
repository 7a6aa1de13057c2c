import { useEffect, useState } from 'react'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import '#src/ui/marks/kbd.css'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import { talkKeyFrom, talkKeyLabel, writes } from './talk-key-press.ts'

/** Choice of the push-to-talk key. */
export function TalkKeyField({ isApple }: { isApple: boolean }) {
  const voice = useVoiceControl()
  const key = useVoice(({ settings }) => settings.talkKey)
  const [isAsking, setIsAsking] = useState(false)

  useEffect(() => {
    if (!isAsking) return
    const take = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setIsAsking(false)
      if (event.key !== 'Escape') voice.changeSettings({ talkKey: talkKeyFrom(event) })
    }
    // A modifier key waits for the key pressed with it. If it is released alone, it becomes the talk key itself.
    const press = (event: KeyboardEvent) => (isModifier(event) ? event.preventDefault() : take(event))
    const release = (event: KeyboardEvent) => isModifier(event) && take(event)
    window.addEventListener('keydown', press, { capture: true })
    window.addEventListener('keyup', release, { capture: true })
    return () => {
      window.removeEventListener('keydown', press, { capture: true })
      window.removeEventListener('keyup', release, { capture: true })
    }
  }, [isAsking, voice])

  return (
    <div className="talk-key">
      <div>
        <p role="status">
          {isAsking ? (
            t('Press a key, or Escape to keep the current one.')
          ) : (
            <RichText
              text={t('Hold <kbd>{key}</kbd> to talk.')}
              values={{ key: talkKeyLabel(key, isApple) }}
              tags={{ kbd: (inside) => <kbd>{inside}</kbd> }}
            />
          )}
        </p>
        {writes(key) && !isAsking && (
          <p className="settings-note">
            {t(
              'In text fields this key types as usual. To talk while typing, choose a combination with Ctrl or Alt, or a key that types nothing.',
            )}
          </p>
        )}
      </div>
      <Button disabled={isAsking} onClick={() => setIsAsking(true)}>
        {t('Choose a key')}
      </Button>
    </div>
  )
}

function isModifier({ key }: KeyboardEvent): boolean {
  return ['Control', 'Alt', 'Shift', 'Meta'].includes(key)
}
