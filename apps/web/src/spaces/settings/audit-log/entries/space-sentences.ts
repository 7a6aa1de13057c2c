import { RoomType } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { changedOnly } from './changed-fields.ts'
import type { Sentences } from './sentence-table.ts'

const { Category } = RoomType

/** Sentences about the space, its rooms and its roles. */
export const spaceSentences = {
  space_create: () => t('{actor} created the space {target}'),
  space_update: (entry) => {
    if (changedOnly(entry, 'name')) return t('{actor} renamed the space from {from} to {to}')
    if (changedOnly(entry, 'icon', 'banner')) return t('{actor} changed the pictures of the space')
    if (changedOnly(entry, 'audit_log_days')) return t('{actor} changed how long the audit log is kept')
    if (changedOnly(entry, 'retention_days')) return t('{actor} changed how long messages are kept')
    return t('{actor} changed the settings of the space')
  },
  space_transfer: () => t('{actor} made {person} the owner of the space'),
  space_export: () => t('{actor} exported the space'),
  room_create: ({ after }) =>
    after?.type === Category
      ? t('{actor} created the category {target}')
      : t('{actor} created the room {target}'),
  room_update: (entry) => {
    if (changedOnly(entry, 'name')) return t('{actor} renamed {from} to {to}')
    if (changedOnly(entry, 'slow_mode_seconds')) return t('{actor} changed the slow mode of {target}')
    if (changedOnly(entry, 'retention_days'))
      return t('{actor} changed how long messages in {target} are kept')
    if (changedOnly(entry, 'description')) return t('{actor} changed the description of {target}')
    if (changedOnly(entry, 'position', 'parent_id')) return t('{actor} moved {target} in the room list')
    return t('{actor} changed the settings of {target}')
  },
  room_delete: ({ before }) =>
    before?.type === Category
      ? t('{actor} deleted the category {target}')
      : t('{actor} deleted the room {target}'),
  web_room_open: () => t('{actor} made {target} readable on the web'),
  web_room_update: (entry) => {
    if (changedOnly(entry, 'is_indexed'))
      return entry.after?.is_indexed === true
        ? t('{actor} let search engines index {target}')
        : t('{actor} kept search engines from indexing {target}')
    return entry.after?.whole_from === null
      ? t('{actor} took the earlier messages of {target} off the web')
      : t('{actor} scheduled earlier messages of {target} to become readable on the web')
  },
  web_room_close: () => t('{actor} took {target} off the web'),
  role_create: () => t('{actor} created the role {target}'),
  role_update: (entry) => {
    if (changedOnly(entry, 'permissions', 'capabilities'))
      return t('{actor} changed the permissions of the role {target}')
    if (changedOnly(entry, 'name')) return t('{actor} renamed the role {from} to {to}')
    if (changedOnly(entry, 'position')) return t('{actor} moved the role {target}')
    if (changedOnly(entry, 'color_from', 'color_via', 'color_to'))
      return t('{actor} changed the colour of the role {target}')
    return t('{actor} changed the role {target}')
  },
  role_delete: () => t('{actor} deleted the role {target}'),
  role_assign: ({ after }, names) =>
    names.role(after?.role_id) === null
      ? t('{actor} gave {target} a role that has since been deleted')
      : t('{actor} gave {target} the role {role}'),
  role_remove: ({ before }, names) =>
    names.role(before?.role_id) === null
      ? t('{actor} removed from {target} a role that has since been deleted')
      : t('{actor} removed the role {role} from {target}'),
  group_role_create: () => t('{actor} gave the role {target} to a sign-in group'),
  group_role_update: () => t('{actor} took over the role {target} of a sign-in group'),
  group_role_delete: () => t('{actor} took the role {target} from a sign-in group'),
  overwrite_update: ({ target_type }) =>
    target_type === 'role'
      ? t('{actor} changed the permissions of the role {target} in {room}')
      : t('{actor} changed the permissions of {target} in {room}'),
  overwrite_delete: ({ target_type }) =>
    target_type === 'role'
      ? t('{actor} removed the room permissions of the role {target} in {room}')
      : t('{actor} removed the room permissions of {target} in {room}'),
} satisfies Partial<Sentences>
