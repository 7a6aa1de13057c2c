import { Type } from 'typebox'
import { limits } from './limits.ts'

/** Upper or lower case: usernames are unique ignoring case. */
export const UsernameParams = Type.Object({
  username: Type.String({
    pattern: `^[A-Za-z0-9_.]{${limits.usernameMin},${limits.usernameMax}}$`,
    description: `${limits.usernameMin} to ${limits.usernameMax} characters of A-Z, a-z, 0-9, _ and .`,
  }),
})
