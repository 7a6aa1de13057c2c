/** Errors of voice and calls. */
export const voiceErrors = {
  camera_limit: { status: 403, message: 'there are already 25 cameras' },
  screen_limit: { status: 403, message: 'there are already 4 screens' },
  voice_room_full: { status: 403, message: 'the room is full' },
  not_in_call: { status: 403, message: 'only people in the call can do this' },
} as const
