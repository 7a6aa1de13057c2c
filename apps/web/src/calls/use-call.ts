import type { Call, VoiceState } from '@foyer/protocol/voice'
import { useCallback } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { isInVoice } from '#src/voice/phases.ts'
import { useVoice } from '#src/voice/use-voice.ts'

export interface CallHere {
  /** Undefined where there is none. */
  readonly call: Call | undefined
  readonly voices: readonly VoiceState[]
  /** Whether this browser is in it, or on the way there. */
  readonly isIn: boolean
  /** Why this browser did not get in, or is in no more, is to be told. */
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

/** Begins the call of a conversation, or joins it. To be called while a click or a key is handled. */
export function useJoinCall(): (conversationId: string) => void {
  const { voice } = useSession()
  return useCallback((conversation_id) => void voice.join({ conversation_id }), [voice])
}
