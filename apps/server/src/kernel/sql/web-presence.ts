import { fragment } from './sql.ts'

/** The column `web_presence` of users, in the words of the protocol. */
export const webPresenceColumn = fragment`
  case web_presence when 0 then 'name' when 1 then 'no_name' else 'none' end as web_presence`
