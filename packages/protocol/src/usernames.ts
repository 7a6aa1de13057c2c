import { Type } from 'typebox'
import { limits } from './limits.ts'

/** Of either case: usernames are unique ignoring it. */
export const UsernameParams = Type.Object({
  username: Type.String({
    pattern: `^[A-Za-z0-9_.]{${limits.usernameMin},${limits.usernameMax}}$`,
    description: `${limits.usernameMin} to ${limits.usernameMax} of letters, 0-9, _ and .`,
  }),
})
