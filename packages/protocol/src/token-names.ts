export const SESSION_COOKIE = 'service_session_token'
export const SESSION_HEADER = 'x-session-token'
/** With the value `cookie`, a page of the server requests its tokens in cookies, which scripts cannot read. */
export const TOKEN_STORAGE_HEADER = 'x-token-storage'
export const REFRESH_COOKIE = 'service_refresh_token'
