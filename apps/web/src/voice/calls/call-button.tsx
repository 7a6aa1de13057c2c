import { Phone } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useCall, useJoinCall } from './use-call.ts'

/** Button in the header of a conversation that starts or joins its call. */
export function CallButton({ conversationId }: { conversationId: string }) {
  const { call, isIn } = useCall(conversationId)
  const join = useJoinCall()
  if (isIn) return null
  return (
    <IconButton
      label={call === undefined ? t('Start call') : t('Join call')}
      icon={<Phone />}
      onClick={() => join(conversationId)}
    />
  )
}
