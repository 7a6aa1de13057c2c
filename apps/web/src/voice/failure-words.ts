import type { VoiceFailure } from '@foyer/sdk/voice/status'
import { t } from '#src/language/texts.ts'

interface FailureWords {
  readonly title: string
  readonly text: string
  /** Trying again may help. */
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
    title: t('You cannot call here just now'),
    text: t('The call does not get through. You can try another time.'),
    mayTryAgain: false,
  },
  full: {
    title: t('The call is full'),
    text: t('Try again when somebody has left.'),
    mayTryAgain: true,
  },
  room_deleted: {
    title: t('The call is over'),
    text: t('You are not in this conversation any more.'),
    mayTryAgain: false,
  },
}

const ofRooms: Readonly<Record<VoiceFailure, FailureWords>> = {
  permission: {
    title: t('You may not join'),
    text: t('Your roles in this space do not let you into this voice room.'),
    mayTryAgain: false,
  },
  full: {
    title: t('The room is full'),
    text: t('Try again when somebody has left.'),
    mayTryAgain: true,
  },
  taken_over: {
    title: t('You joined from elsewhere'),
    text: t('You are in voice in another browser or on another device. One at a time is possible.'),
    mayTryAgain: true,
  },
  kicked: {
    title: t('You were disconnected'),
    text: t('Somebody who manages this space disconnected you from voice.'),
    mayTryAgain: true,
  },
  room_deleted: {
    title: t('The room is gone'),
    text: t('It was deleted, or you have no access to it any more.'),
    mayTryAgain: false,
  },
  network: {
    title: t('No sound gets through'),
    text: t('You are connected to the server, but your network, or that of the server, blocks voice.'),
    mayTryAgain: true,
  },
  unavailable: {
    title: t('Voice does not work just now'),
    text: t('The server cannot carry voice at the moment. Try again in a while.'),
    mayTryAgain: true,
  },
  session_ended: {
    title: t('You were signed out'),
    text: t('The session that was in voice has ended.'),
    mayTryAgain: false,
  },
}
