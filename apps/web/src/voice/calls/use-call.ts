import type { Call, VoiceState } from '@foyer/protocol/voice'
import { useCallback } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { isInVoice } from '../phases.ts'
import { useVoice } from '../use-voice.ts'

export interface CallHere {
  /** Undefined if there is no call. */
  readonly call: Call | undefined
  readonly voices: readonly VoiceState[]
  /** True if this browser is in the call or joining it. */
  readonly isIn: boolean
  /** True if joining failed, or if this browser was removed from the call. */
  readonly hasFailed: boolean
}

export function useCall(conversationId: string): CallHere {
  const call = useAppState((state) => state.calls[conversationId])
  const voices = useAppState((state) => voicesIn(state, conversationId))
  const status = useVoice((view) => view.status)
  const isHere = status.place?.conversation_id === conversationId
  return {
    call,
    voices,
    isIn: isHere && isInVoice(status),
    hasFailed: isHere && status.phase === 'failed',
  }
}

/** Starts or joins the call of a conversation. Call this while handling a click or key press. */
export function useJoinCall(): (conversationId: string) => void {
  const { voice } = useSession()
  return useCallback((conversation_id) => void voice.join({ conversation_id }), [voice])
}
