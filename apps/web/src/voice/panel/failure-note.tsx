import type { VoiceStatus, VoiceTarget } from '@foyer/sdk/voice/status'
import { CircleAlert, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import './failure-note.css'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import { failureWords } from './failure-words.ts'

const NetworkHelp = lazyComponent(() =>
  import('../connection/network-help.tsx').then((module) => module.NetworkHelp),
)

interface FailureNoteProps {
  /** True if the surrounding component already offers to join again. */
  hasWayIn?: boolean
}

/** Explains why voice ended or could not be joined, and offers what to do next. */
export function FailureNote({ hasWayIn = false }: FailureNoteProps) {
  const voice = useVoiceControl()
  const reason = useVoice(({ status }) => status.reason ?? 'unavailable')
  const place = useVoice(({ status }) => status.place)
  const [isHelped, setIsHelped] = useState(false)
  const target = targetOf(place)
  const isCall = target !== undefined && 'conversation_id' in target
  const { title, text, mayTryAgain } = failureWords(reason, isCall)
  const offersToTry = mayTryAgain && !hasWayIn
  return (
    <div className="failure-note" role="alert">
      <p className="failure-title">
        <CircleAlert aria-hidden="true" /> {title}
      </p>
      <p>{text}</p>
      {(offersToTry || reason === 'network') && (
        <p className="failure-actions">
          {offersToTry && target !== undefined && (
            <Button look="text" onClick={() => void voice.join(target)}>
              {reason === 'taken_over' ? t('Join here') : t('Try again')}
            </Button>
          )}
          {reason === 'network' && (
            <Button look="text" onClick={() => setIsHelped(true)}>
              {t('What can I do?')}
            </Button>
          )}
        </p>
      )}
      <Suspense>{isHelped && <NetworkHelp onClose={() => setIsHelped(false)} />}</Suspense>
    </div>
  )
}

/** The failure note in the sidebar, until the user dismisses it. */
export function FailureCard() {
  const voice = useVoiceControl()
  return (
    <div className="failure-card">
      <FailureNote />
      <IconButton
        label={t('Dismiss')}
        icon={<X />}
        className="failure-dismiss"
        onClick={() => voice.leave()}
      />
    </div>
  )
}

function targetOf(place: VoiceStatus['place']): VoiceTarget | undefined {
  if (place?.room_id) return { room_id: place.room_id }
  return place?.conversation_id ? { conversation_id: place.conversation_id } : undefined
}
