/** Bounds that server and clients share. Lengths are in Unicode code points; those of a `Text` (`schema.ts`) count after trimming. */
export const limits = {
  usernameMin: 2,
  usernameMax: 32,
  aliasMax: 64,
  nicknameMax: 64,
  customStatusMax: 128,
  passwordMin: 8,
  passwordMax: 256,
  nameMax: 100,
  descriptionMax: 1024,
  messageMax: 4000,
  nonceMax: 64,
  localeMax: 35,
  banReasonMax: 512,
  filenameMax: 255,
  contentTypeMax: 127,
  urlMax: 2048,
} as const

/** Maximum request body. An emoji or a sticker can't be larger either, because it is sent in a request body. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024
/** Maximum size of icons, banners and avatars. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Maximum size of an uploaded file: the limit of S3 for one request. */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024 * 1024
export const MAX_MESSAGE_FILES = 10
export const MAX_MESSAGE_STICKERS = 3
export const MAX_EMBEDS = 10
export const MAX_EMBED_FIELDS = 25
/** Maximum total length of all texts in a message's embeds, in Unicode code points. */
export const MAX_EMBED_CHARACTERS = 6000
export const MAX_COMPONENT_ROWS = 5
/** Maximum users, and maximum roles, in a message's `allowed_mentions`. */
export const MAX_MENTIONS = 100
/** Maximum total size of a forwarded message's files, which are copied. */
export const MAX_FORWARD_BYTES = 512 * 1024 * 1024
export const MAX_BULK_DELETE = 100
export const MAX_THREAD_TITLE_CHARACTERS = 100
export const MAX_FORUM_GUIDELINES = 4000
export const MAX_FORUM_TEMPLATE = 2000
export const MAX_FORUM_TAGS = 20
export const MAX_TAG_CHARACTERS = 30
export const MAX_POST_TAGS = 5
export const MAX_PINNED_POSTS = 10
/** Characters of a post's first message that the forum's list shows. */
export const MAX_OPENING_CHARACTERS = 300
/** Minimum length of a title for the search for similar posts. */
export const MIN_SIMILAR_CHARACTERS = 3
/** Maximum posts found by a search for similar titles. */
export const MAX_SIMILAR_THREADS = 5
/** Maximum messages moved into a thread in one request. */
export const MAX_MOVED_MESSAGES = 100
/** Maximum threads that a user follows. One more replaces the least recently active one, if possible of the same space. */
export const MAX_FOLLOWED_THREADS = 1000
export const MAX_REACTIONS = 20
export const MAX_PINS = 250
export const MAX_UNREAD_COUNT = 100
/** Maximum reply count that the first message of a thread shows. This value means as many replies or more. */
export const MAX_REPLY_COUNT = 100
/** Maximum people in a group conversation, including its owner. */
export const MAX_GROUP_MEMBERS = 10
export const MAX_GROUPS = 100
/** Maximum listed conversations of one user: those with the newest messages. Others can be fetched by id. */
export const MAX_LISTED_CONVERSATIONS = 1000
export const MAX_SEARCH_QUERY = 200
export const MAX_SEARCH_USERS = 10
export const MAX_SEARCH_ROOMS = 25
export const MAX_SEARCH_PAGE = 50
export const DEFAULT_SEARCH_PAGE = 25
export const MAX_MENTIONS_PAGE = 50
export const DEFAULT_MENTIONS_PAGE = 25
export const MAX_WEBHOOKS = 15
/** Maximum rooms that follow one announcement room. */
export const MAX_FOLLOWERS = 2000
/** Maximum rooms of other servers that the rooms of one space follow. */
export const MAX_REMOTE_FOLLOWS = 100
export const MAX_WEBHOOK_SECRET = 256
export const MAX_COMMANDS = 100
/** Maximum commands listed in one channel. Further ones can still be invoked. */
export const MAX_LISTED_COMMANDS = 1000
export const MAX_COMMAND_OPTIONS = 25
export const MAX_CHOICES = 25
/**
 * Time in which a polling bot must take an interaction. Within this time, an interaction that a bot took, but did not answer
 * within INTERACTION_LEASE_SECONDS, is delivered again.
 */
export const INTERACTION_WAIT_SECONDS = 60
/** Time in which a bot must answer, from the last delivery of the interaction. */
export const INTERACTION_ANSWER_SECONDS = 15
export const INTERACTION_FOLLOW_UP_SECONDS = 15 * 60
export const INTERACTION_LEASE_SECONDS = 30
/** Maximum uploads of one user in one space that no message has claimed yet, including reserved ones. */
export const MAX_PENDING_UPLOADS = 50
/** Share of a bucket's free space that one user's unclaimed uploads may take. A reservation alone uses no space. */
export const PENDING_SHARE = 0.25
/** Bytes that one user's unclaimed uploads may always take, even above PENDING_SHARE, if the bucket has that much space. */
export const MIN_PENDING_SHARE_BYTES = 256 * 1024 * 1024
export const MAX_BUCKETS = 20
export const MAX_EMOJIS = 500
export const MAX_STICKERS = 250
export const ATTACHMENT_URL_SECONDS = 24 * 60 * 60
/** Time for which an export can be downloaded. Then it is deleted. */
export const EXPORT_SECONDS = 24 * 60 * 60
/** Time for which a download link of an export works. A running download continues after it. */
export const EXPORT_LINK_SECONDS = 5 * 60
/** Maximum total size of the files in a person's export. Further files are only listed. */
export const MAX_EXPORT_FILE_BYTES = 1024 ** 3
export const PRESIGNED_URL_SECONDS = 60 * 60
export const UNCLAIMED_UPLOAD_SECONDS = 24 * 60 * 60
export const MAX_INVITE_AGE_SECONDS = 604_800
export const MAX_INVITE_USES = 1000
export const MAX_WORKING_INVITES = 1000
/** Maximum per space. A client holds all rooms and roles, and one change may affect all of them. */
export const MAX_ROOMS = 500
export const MAX_ROLES = 250
/** Maximum group roles of a space: roles given to the groups of a sign-in provider. */
export const MAX_GROUP_ROLES = 250
export const MAX_OVERWRITES = 500
export const MAX_SPACE_OVERWRITES = 5000
/** Maximum over all spaces of one owner, who may own 200: a member of all of them receives all their rooms. */
export const MAX_OWNED_ROOMS = 20_000
export const MAX_OWNED_OVERWRITES = 50_000
/** Maximum spaces of a user. Does not apply to bots. */
export const MAX_SPACES = 200
export const MAX_FRIENDS = 1000
export const MAX_SENT_FRIEND_REQUESTS = 100
export const MAX_RECEIVED_FRIEND_REQUESTS = 1000
export const MAX_BLOCKS = 1000
export const MAX_APPLICATIONS = 50
/** Maximum sessions of one user. A further login ends the least recently used one. */
export const MAX_SESSIONS = 100
export const MAX_PASSKEYS = 20
/** Time in which a device must answer the challenge of a passkey. */
export const PASSKEY_CHALLENGE_SECONDS = 5 * 60
/** Time in which a proof of presence must be used. */
export const OWNER_PROOF_SECONDS = 5 * 60
/** Longest slow mode of a room: six hours. */
export const MAX_SLOW_MODE_SECONDS = 21_600
/** Longest timeout of a member. */
export const MAX_TIMEOUT_DAYS = 28
export const MAX_AUTOMOD_RULES = 200
/** Maximum words, hosts or exceptions of one rule. */
export const MAX_AUTOMOD_WORDS = 1000
export const MAX_AUTOMOD_PATTERN_CHARACTERS = 100
/** Maximum total characters in the lists of a space's rules. */
export const MAX_AUTOMOD_CHARACTERS = 2_000_000
export const MAX_AUTOMOD_HASHES = 1000
export const MAX_AUTOMOD_SENTENCE_CHARACTERS = 200
/** Maximum exempt roles, and maximum exempt rooms, of one rule. */
export const MAX_AUTOMOD_EXEMPTIONS = 100
/** Maximum messages that wait for review, of all authors in a space and of one author in it. */
export const MAX_HELD_MESSAGES = 1000
export const MAX_HELD_OF_AUTHOR = 10
/** Messages on which a rule is tried before it is saved. */
export const MAX_TRIED_MESSAGES = 1000
/** Days for which caught texts and held messages are kept. */
export const AUTOMOD_DAYS = 7
/** Minimum of the raid sensor's limit: the joins per minute at which it closes the door. */
export const MIN_SENSOR_JOINS = 5
export const DEFAULT_SENSOR_JOINS = 20
export const MAX_SENSOR_JOINS = 5000
/** Maximum look-back when the door closes: members who joined in these minutes can be made to wait for a moderator. */
export const MAX_DOOR_MINUTES = 1440
/** Maximum number of waiting newcomers in a space. */
export const MAX_NEWCOMERS = 5000
/** Maximum newcomers named in one decision. */
export const MAX_DECIDED_NEWCOMERS = 1000
export const MAX_BAN_DELETE_SECONDS = 604_800
export const MAX_BANS_PAGE = 1000
export const MAX_AUDIT_LOG_DAYS = 9999
/** Days for which operators can bring back a deleted space. */
export const RESTORABLE_DAYS = 14
export const MAX_RETENTION_DAYS = 9999
/** Maximum length of the text of a report or an appeal, of an answer to one, and of a note on a report. */
export const MAX_REPORT_CHARACTERS = 2000
/** Maximum messages that a report from a conversation shows besides the reported one. */
export const MAX_REPORT_CONTEXT = 9
/** Days for which closed reports are kept. */
export const REPORT_DAYS = 180
export const MAX_PAGE = 100
/** Maximum length of the operators' question to applicants, and of an answer to it. */
export const MAX_REGISTRATION_TEXT_CHARACTERS = 2000
/** Maximum applications for an account that wait for an operator. */
export const MAX_REGISTRATIONS = 10_000
export const MAX_MAIL_DOMAINS = 1000
/** Maximum announcements of operators that have not ended. */
export const MAX_ANNOUNCEMENTS = 3
export const MAX_ANNOUNCEMENT_CHARACTERS = 500
/** Maximum duration of an announcement, and maximum time until its start. */
export const MAX_ANNOUNCEMENT_DAYS = 30
export const MAX_OPERATOR_INVITES = 1000
export const MAX_OPERATOR_INVITE_USES = 100_000
/** Maximum age of an operator's invite: a year. */
export const MAX_OPERATOR_INVITE_AGE_SECONDS = 31_536_000
/** Maximum mutual spaces, and maximum mutual friends, in an answer. */
export const MAX_MUTUAL = 100
/** Maximum ranges of a space's member list that a connection receives, each of up to `MAX_PAGE` members. */
export const MAX_LIST_RANGES = 3
/** Maximum spaces whose member list a connection receives. */
export const MAX_SEEN_LISTS = 10
/** Maximum size of a space whose member list includes offline members. */
export const MAX_LISTED_OFFLINE = 1000
export const DEFAULT_PAGE = 50
export const ACCESS_TOKEN_SECONDS = 24 * 60 * 60
export const SESSION_SECONDS = 30 * 24 * 60 * 60
export const NOTICE_INTERVAL_MS = 2000
export const HEARTBEAT_INTERVAL_MS = 41_250
export const IDENTIFY_TIMEOUT_MS = 10_000
export const MAX_FRAME_BYTES = 16 * 1024
export const MAX_SIGNAL_FRAME_BYTES = 128 * 1024
export const MAX_UNSENT_BYTES = 4 * 1024 * 1024
/** Maximum gateway connections of one user to one process. */
export const MAX_USER_CONNECTIONS = 100
/** Maximum gateway connections of one address to one process. Many people may share an address. */
export const MAX_ADDRESS_CONNECTIONS = 2000
/** Maximum connections of one address that still wait for READY or RESUMED. */
export const MAX_ADDRESS_JOINING = 1000
/** Maximum WebSocket upgrades of one address per minute: enough to restore all its connections three times. */
export const MAX_ADDRESS_UPGRADES = 3 * MAX_ADDRESS_CONNECTIONS
