import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'

/** Maximum number of voices that a client receives at once, assigned to the users who speak. */
export const VOICE_SLOTS = 8
/** Maximum number of pictures that a client receives at once, of those that it watches. */
export const VIDEO_SLOTS = 8
/** Maximum number of screens whose sound a client receives at once. */
export const SCREEN_SOUND_SLOTS = 2
/**
 * Number of receive-only video m-lines in an offer: one per voice for the camera, and one per screen sound for the screen.
 */
export const PICTURE_LINES = VOICE_SLOTS + SCREEN_SOUND_SLOTS
/** Maximum cameras, and maximum screens, in one room or call. */
export const MAX_CAMERAS = 25
export const MAX_SCREENS = 4
/** Maximum display height of a picture that a client can name, in pixels. */
export const MAX_PICTURE_HEIGHT = 16_384
export const MAX_VOICE_SDP_CHARACTERS = 64 * 1024
/** Seconds that a call rings. */
export const CALL_RING_SECONDS = 60

/** Flags of a user's microphone, speakers, camera and screen, for other users and the server. */
const selfFields = {
  self_mute: Type.Boolean(),
  self_deaf: Type.Boolean(),
  self_video: Type.Boolean(),
  self_stream: Type.Boolean(),
}

/** The voice state of a user. Both `room_id` and `conversation_id` are null after they have left. */
export const VoiceState = Type.Object(
  {
    user_id: Uuid(),
    space_id: Nullable(Uuid()),
    room_id: Nullable(Uuid()),
    conversation_id: Nullable(Uuid()),
    session_id: Uuid('new with each join: a user has at most one'),
    ...selfFields,
    mute: Type.Boolean({ description: 'muted by the space' }),
    deaf: Type.Boolean({ description: 'deafened by the space' }),
    joined_at: Timestamp(),
  },
  { title: 'VoiceState' },
)
export type VoiceState = Static<typeof VoiceState>

/**
 * op 4: joins a channel and sets the flags. Without a room or conversation, it leaves. If it names the current channel, and comes
 * from the connection that joined or names the session, it only changes the flags.
 */
export const UpdateVoiceState = Type.Object({
  space_id: Type.Optional(Nullable(Uuid())),
  room_id: Type.Optional(Nullable(Uuid())),
  conversation_id: Type.Optional(Nullable(Uuid())),
  self_mute: Type.Optional(Type.Boolean({ description: 'false by default, like the others' })),
  self_deaf: Type.Optional(Type.Boolean()),
  self_video: Type.Optional(Type.Boolean()),
  self_stream: Type.Optional(Type.Boolean()),
  session_id: Type.Optional(
    Nullable(
      Uuid('leaves or changes only this session, not one that replaced it; null starts a new session'),
    ),
  ),
  after_session_id: Type.Optional(
    Nullable(
      Uuid(
        'refuses to join if the user has another session than this one, for a client that joins again by itself',
      ),
    ),
  ),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
})
export type UpdateVoiceState = Static<typeof UpdateVoiceState>

/** op 5 from a client: its SDP offer. A client sends one offer for each grant. */
export const VoiceOffer = Type.Object({
  kind: Type.Literal('offer'),
  session_id: Uuid(),
  sdp: Type.String({ maxLength: MAX_VOICE_SDP_CHARACTERS }),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
})
export type VoiceOffer = Static<typeof VoiceOffer>

const PictureSource = Type.Union([Type.Literal('camera'), Type.Literal('screen')])

/** A picture that a client wants to receive. */
export const WatchedPicture = Type.Object({
  user_id: Uuid(),
  source: PictureSource,
  height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PICTURE_HEIGHT,
      description:
        'pixels of the device at which it is shown; 0 keeps its line but sends nothing, none is the highest layer',
    }),
  ),
})
export type WatchedPicture = Static<typeof WatchedPicture>

/** op 5 from a client: the pictures to receive, the most important first. It replaces the earlier list. */
export const VoiceWatch = Type.Object({
  kind: Type.Literal('watch'),
  session_id: Uuid(),
  watched: Type.Array(WatchedPicture, { maxItems: VIDEO_SLOTS }),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
})
export type VoiceWatch = Static<typeof VoiceWatch>

export const IceServer = Type.Object({
  urls: Type.Array(Type.String()),
  username: Type.Optional(Type.String()),
  credential: Type.Optional(Type.String()),
})
export type IceServer = Static<typeof IceServer>

/** The data a client needs to send and receive media, by engine. */
export const VoiceGrant = Type.Union([
  Type.Object({
    driver: Type.Literal('slots'),
    ice_servers: Type.Array(IceServer),
    slots: Type.Integer({ description: 'number of receive-only audio lines that the offer must have' }),
    video: Nullable(Type.Object({ slots: Type.Integer(), sounds: Type.Integer() })),
  }),
  Type.Object({ driver: Type.Literal('livekit'), url: Type.String(), token: Type.String() }),
])
export type VoiceGrant = Static<typeof VoiceGrant>

/** The user whose voice is in a slot. Slot 0 is the first receive-only audio m-line of the offer. */
export const VoiceSlot = Type.Object({
  slot: Type.Integer(),
  user_id: Nullable(Uuid('null for a free slot')),
})
export type VoiceSlot = Static<typeof VoiceSlot>

/** The layer of a picture that a viewer receives. */
export const ReceivedLayer = Type.Object({
  position: Type.Integer({ minimum: 1, description: '1 is the lowest' }),
  count: Type.Integer({ minimum: 1 }),
})
export type ReceivedLayer = Static<typeof ReceivedLayer>

/** Codecs of pictures, as SDP names them, from the one that every client has to the newest. */
export const pictureCodecs = ['VP8', 'VP9', 'H264', 'AV1'] as const
export type PictureCodec = (typeof pictureCodecs)[number]

/** The picture in a slot. Slot 0 is the first receive-only video m-line of the offer. */
export const PictureSlot = Type.Object({
  slot: Type.Integer(),
  user_id: Nullable(Uuid('null for a free slot')),
  source: Nullable(PictureSource),
  layer: Type.Optional(ReceivedLayer),
  first_sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'number of the first packet (RTP) of this picture in the slot, or of any later picture in a free slot',
    }),
  ),
})
export type PictureSlot = Static<typeof PictureSlot>

/** The user whose screen sound is in a slot. These slots are the receive-only audio m-lines after those of voices. */
export const ScreenSoundSlot = VoiceSlot
export type ScreenSoundSlot = VoiceSlot

export const voiceEndReasons = [
  'left',
  'moved',
  'taken_over',
  'disconnected',
  'permission_lost',
  'room_deleted',
  'session_ended',
  'unreachable',
  'failed',
] as const
export type VoiceEndReason = (typeof voiceEndReasons)[number]

/** op 5 to a client. After a second grant, the client must send a new offer: the session's media moved to another process. */
export const VoiceSignal = Type.Union([
  Type.Object({
    kind: Type.Literal('grant'),
    session_id: Uuid(),
    grant: VoiceGrant,
    nonce: Type.Optional(Type.String({ description: 'nonce of the op 4 that requested it, if any' })),
  }),
  Type.Object({ kind: Type.Literal('answer'), session_id: Uuid(), sdp: Type.String() }),
  Type.Object({ kind: Type.Literal('slots'), session_id: Uuid(), slots: Type.Array(VoiceSlot) }),
  Type.Object({
    kind: Type.Literal('pictures'),
    session_id: Uuid(),
    slots: Type.Array(PictureSlot),
    sounds: Type.Array(ScreenSoundSlot),
  }),
  Type.Object({
    kind: Type.Literal('codecs'),
    session_id: Uuid(),
    codecs: Type.Array(Type.Enum([...pictureCodecs]), {
      description:
        'codecs of the answer that everyone who watches can decode; the client sends its pictures in one of them',
    }),
  }),
  Type.Object({
    kind: Type.Literal('end'),
    session_id: Uuid(),
    reason: Type.Unsafe<VoiceEndReason>({ type: 'string', enum: voiceEndReasons }),
  }),
])
export type VoiceSignal = Static<typeof VoiceSignal>

/** All users who are currently speaking in a room or call; sent to everyone in it. */
export const VoiceSpeaking = Type.Object({
  room_id: Nullable(Uuid()),
  conversation_id: Nullable(Uuid()),
  user_ids: Type.Array(Uuid()),
})
export type VoiceSpeaking = Static<typeof VoiceSpeaking>

/** A call of a conversation, while at least one user is in it. */
export const Call = Type.Object(
  {
    conversation_id: Uuid(),
    initiator_id: Uuid(),
    ringing: Type.Array(Uuid(), { description: 'users whose devices are ringing' }),
    started_at: Timestamp(),
  },
  { title: 'Call' },
)
export type Call = Static<typeof Call>

/** The content of a message of type 3. Users who are not participants have missed the call. */
export const CallRecord = Type.Object(
  {
    started_at: Timestamp(),
    ended_at: Timestamp(),
    participant_ids: Type.Array(Uuid(), { description: 'all users who joined the call' }),
  },
  { title: 'CallRecord' },
)
export type CallRecord = Static<typeof CallRecord>

/** Changes of a member's voice by owners and administrators. */
export const UpdateMemberVoiceBody = Type.Object({
  mute: Type.Optional(Type.Boolean()),
  deaf: Type.Optional(Type.Boolean()),
  room_id: Type.Optional(Nullable(Uuid('the voice room to move to; null disconnects'))),
})
export type UpdateMemberVoiceBody = Static<typeof UpdateMemberVoiceBody>

/** The space's settings for a member's voice, which also apply while they are not in a room. */
export const MemberVoice = Type.Object({
  user_id: Uuid(),
  mute: Type.Boolean(),
  deaf: Type.Boolean(),
  room_id: Nullable(Uuid('the voice room they are in')),
})
export type MemberVoice = Static<typeof MemberVoice>
