import type { VoiceFailure } from '@foyer/sdk/voice/status'
import { t } from '#src/language/texts.ts'

interface FailureWords {
  readonly title: string
  readonly text: string
  /** True if trying again may help. */
  readonly mayTryAgain: boolean
}

/** Explains why the user is not in a voice room or call. */
export function failureWords(reason: VoiceFailure, isCall: boolean): FailureWords {
  return (isCall ? ofCalls[reason] : undefined) ?? ofRooms[reason]
}

/** Reasons that read differently in a call, which has no space or room. */
const ofCalls: Readonly<Partial<Record<VoiceFailure, FailureWords>>> = {
  // Does not reveal that the other user has blocked this one.
  permission: {
    title: t('You can’t call right now'),
    text: t('Call failed. Try again later.'),
    mayTryAgain: false,
  },
  full: {
    title: t('The call is full'),
    text: t('Try again when someone leaves.'),
    mayTryAgain: true,
  },
  room_deleted: {
    title: t('The call has ended'),
    text: t('You’re no longer in this conversation.'),
    mayTryAgain: false,
  },
}

const ofRooms: Readonly<Record<VoiceFailure, FailureWords>> = {
  permission: {
    title: t('You can’t join this room'),
    text: t('You don’t have permission to join this voice room.'),
    mayTryAgain: false,
  },
  full: {
    title: t('The room is full'),
    text: t('Try again when someone leaves.'),
    mayTryAgain: true,
  },
  taken_over: {
    title: t('You joined from another device or tab'),
    text: t('You’re already in voice on another device.'),
    mayTryAgain: true,
  },
  kicked: {
    title: t('You were disconnected'),
    text: t('A moderator disconnected you from voice.'),
    mayTryAgain: true,
  },
  room_deleted: {
    title: t('Room unavailable'),
    text: t('It was deleted, or you no longer have access to it.'),
    mayTryAgain: false,
  },
  network: {
    title: t('Can’t connect to voice'),
    text: t('You’re connected to the server, but your network or the server’s network blocks voice.'),
    mayTryAgain: true,
  },
  unavailable: {
    title: t('Voice is unavailable'),
    text: t('The server can’t provide voice right now. Try again later.'),
    mayTryAgain: true,
  },
  session_ended: {
    title: t('You were signed out'),
    text: t('Sign in again to join voice.'),
    mayTryAgain: false,
  },
}
