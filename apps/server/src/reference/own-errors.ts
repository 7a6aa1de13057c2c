import { type ErrorCode, errors } from '#src/kernel/errors.ts'
import { archiveErrors } from './archive-errors.ts'
import { operatorOwnErrors } from './operator-own-errors.ts'

/** Errors of each operation, apart from those of its path, body and credentials. */
const own: Readonly<Record<string, string>> = {
  ...operatorOwnErrors,
  'appeals.create': 'already_appealed unknown_ban',
  'appeals.decide': 'already_decided missing_permission unknown_appeal unknown_ban',
  'appeals.getOwn': 'unknown_appeal unknown_ban',
  'appeals.list': 'missing_permission',
  'applications.create': 'too_many_applications',
  'applications.delete': 'owns_spaces',
  'attachments.create':
    'no_bucket not_a_message_room storage_full thread_closed too_many_uploads upload_too_large',
  'attachments.deleteAllOfSpace': 'missing_permission',
  'attachments.deleteOfSpace': 'missing_permission',
  'attachments.download': 'invalid_signature not_executable range_not_satisfiable storage_unavailable',
  'attachments.listOfSpace': 'missing_permission',
  'attachments.proxyVideo':
    'authentication_required disk_full invalid_signature media_unreachable range_not_satisfiable',
  'attachments.resign': 'missing_permission not_a_member unknown_room',
  'attachments.storageOf': 'missing_permission',
  'auditLog.export': 'missing_permission',
  'auditLog.list': 'missing_permission',
  'auditLog.undo':
    'already_undone automod_refused cannot_manage_space changed_since everyone_is_fixed member_not_below missing_permission not_a_category not_a_text_room not_reversible permission_not_held role_not_below target_type_fixed too_many_overwrites too_many_owned_overwrites too_many_space_overwrites unknown_audit_log_entry unknown_ban unknown_member unknown_overwrite unknown_role unknown_room unknown_timeout unknown_user',
  'auth.changeEmail': 'email_taken invalid_token',
  'auth.changePassword':
    'code_required no_password proof_ended too_many_failed_logins wrong_code wrong_password',
  'auth.deleteSession': 'unknown_session',
  'auth.login':
    'account_locked approval_pending cross_site invalid_code invalid_login password_login_off second_factor_required too_many_failed_logins',
  'auth.loginByPasskey':
    'account_locked cross_site invalid_passkey passkey_challenge_ended passkey_copied passkeys_unavailable',
  'auth.refresh': 'account_locked authentication_required cross_site',
  'auth.forgotPassword': 'password_login_off',
  'auth.resetPassword': 'account_locked invalid_token password_login_off',
  'auth.sendEmailChange':
    'code_required email_domain_refused email_taken no_password proof_ended too_many_failed_logins wrong_code wrong_password',
  'auth.sendPasswordReset': 'password_login_off',
  'auth.signin':
    'answer_required approval_pending cross_site email_domain_refused email_taken invalid_birthdate invalid_puzzle invite_required invite_unusable password_login_off puzzle_required registration_closed too_many_registrations username_taken',
  'auth.verify': 'invalid_token',
  'automod.approveHeld':
    'author_gone missing_permission no_bucket not_a_message_room not_forwardable storage_full storage_unavailable too_many_files unknown_attachment unknown_held_message unknown_message unknown_room unknown_sticker upload_too_large',
  'automod.createRule': 'missing_permission too_large_automod_rules too_many_automod_rules unknown_room',
  'automod.deleteRule': 'missing_permission unknown_automod_rule',
  'automod.listHeld': 'missing_permission',
  'automod.listHits': 'missing_permission',
  'automod.listRules': 'missing_permission',
  'automod.rejectHeld': 'missing_permission unknown_held_message',
  'automod.tryRule': 'missing_permission',
  'automod.updateRule': 'missing_permission too_large_automod_rules unknown_automod_rule unknown_room',
  'bans.create': 'member_not_below missing_permission unknown_user',
  'bans.delete': 'missing_permission unknown_ban',
  'bans.list': 'missing_permission',
  'buckets.activate': 'missing_permission',
  'buckets.create': 'invalid_storage missing_permission too_many_buckets',
  'buckets.createIncluded': 'included_off missing_permission too_many_buckets',
  'buckets.deactivate': 'missing_permission',
  'buckets.delete': 'missing_permission',
  'buckets.list': 'missing_permission',
  'buckets.test': 'invalid_storage missing_permission',
  'buckets.testNew': 'invalid_storage missing_permission',
  'buckets.update': 'included_is_fixed invalid_storage missing_permission',
  'buckets.usage': 'missing_permission',
  'calls.decline': 'unknown_call',
  'calls.ring': 'blocked_conversation missing_permission not_in_call unknown_call',
  'conversations.addMember':
    'blocked_conversation bots_in_groups cannot_converse group_owner_only missing_permission not_a_group too_many_group_members too_many_groups unknown_member unknown_user',
  'conversations.create':
    'bots_in_groups cannot_converse conversing_with_oneself too_many_groups unknown_user',
  'conversations.removeMember': 'group_owner_only not_a_group unknown_member',
  'conversations.update':
    'blocked_conversation disk_full group_owner_only image_needs_multipart image_too_complex image_too_large invalid_image missing_permission no_bucket not_a_group storage_full storage_unavailable unknown_attachment unknown_member upload_too_large',
  'door.get': 'missing_permission',
  'door.leaveDoor': 'unknown_waiting_space',
  'door.letIn': 'missing_permission unknown_newcomer',
  'door.listNewcomers': 'missing_permission',
  'door.remove': 'missing_permission unknown_newcomer',
  'door.update': 'missing_permission',
  'emojis.create':
    'disk_full image_too_complex image_too_large invalid_image missing_image missing_permission name_taken no_bucket storage_full storage_unavailable too_many_emojis unknown_attachment upload_too_large',
  'emojis.delete': 'missing_permission unknown_emoji',
  'emojis.list': 'missing_permission',
  'emojis.update': 'missing_permission name_taken unknown_emoji',
  'exports.create':
    'code_required export_too_soon export_underway no_password proof_ended too_many_failed_logins wrong_code wrong_password',
  'exports.download': 'export_needs_login export_not_ready storage_unavailable unknown_export',
  'forums.listSimilar': 'missing_permission not_a_forum',
  'forums.solve': 'missing_permission not_a_forum not_an_answer unknown_message',
  'forums.unsolve': 'missing_permission not_a_forum',
  'friends.acceptRequest': 'too_many_friends unknown_friend_request',
  'friends.block': 'blocking_oneself too_many_blocks unknown_user',
  'friends.deleteRequest': 'unknown_friend_request',
  'friends.getBlock': 'unknown_block',
  'friends.remove': 'unknown_friend',
  'friends.sendRequest':
    'already_friends befriending_bot befriending_oneself request_pending too_many_friend_requests too_many_friends too_many_received_requests unknown_user user_blocked',
  'friends.unblock': 'unknown_block',
  'instance.gateway': 'disk_full',
  'instance.metrics': 'authentication_required',
  'identities.backchannelLogout': 'invalid_logout_token unknown_provider',
  'identities.callback': 'unknown_provider',
  'groupRoles.create':
    'everyone_is_fixed group_not_allowed missing_permission role_not_below too_many_group_roles unknown_provider unknown_role',
  'groupRoles.delete': 'missing_permission role_not_below unknown_group_role',
  'groupRoles.list': 'missing_permission',
  'identities.getTicket': 'no_ticket',
  'identities.logIn':
    'account_locked cross_site invalid_code no_ticket second_factor_required too_many_failed_logins unknown_identity',
  'identities.logInAndLink':
    'account_locked approval_pending cross_site identity_taken invalid_code invalid_login no_ticket provider_linked second_factor_required too_many_failed_logins',
  'identities.signUp':
    'answer_required approval_pending cross_site email_domain_refused email_required email_taken identity_taken invalid_birthdate invite_required invite_unusable no_ticket registration_closed too_many_registrations username_taken',
  'identities.start': 'unknown_provider',
  'identities.startLinking':
    'code_required no_password proof_ended provider_invalid provider_unreachable too_many_failed_logins unknown_provider wrong_code wrong_password',
  'identities.unlink':
    'code_required last_way_in no_password proof_ended too_many_failed_logins unknown_identity unknown_provider wrong_code wrong_password',
  'interactions.answer':
    'asker_gone automod_refused blocked_conversation embeds_too_large empty_message forward_has_more interaction_answered interaction_expired missing_permission not_a_member not_found unknown_attachment unknown_conversation unknown_message unknown_room',
  'interactions.create':
    'blocked_conversation missing_permission not_a_member not_a_message_room not_found unknown_application unknown_command unknown_component unknown_conversation unknown_interaction unknown_message unknown_room',
  'interactions.deleteFollowUp':
    'asker_gone blocked_conversation interaction_expired interaction_unanswered missing_permission not_a_member not_found unknown_conversation unknown_room',
  'interactions.followUp':
    'asker_gone automod_refused blocked_conversation embeds_too_large empty_message interaction_expired interaction_unanswered missing_permission not_a_member not_found unknown_attachment unknown_conversation unknown_message unknown_room',
  'interactions.getFollowUp':
    'asker_gone blocked_conversation interaction_expired interaction_unanswered missing_permission not_a_member not_found unknown_conversation unknown_room',
  'interactions.next': 'bot_only',
  'interactions.updateFollowUp':
    'asker_gone automod_refused blocked_conversation embeds_too_large empty_message forward_has_more interaction_expired interaction_unanswered missing_permission not_a_member not_found unknown_conversation unknown_room',
  'invites.create': 'name_taken too_many_invites',
  'invites.get': 'unknown_invite',
  'invites.join':
    'automod_refused banned changed_since door_closed must_wait space_frozen too_many_spaces unknown_invite',
  'invites.list': 'missing_permission',
  'invites.revoke': 'missing_permission unknown_invite',
  'members.addBot':
    'automod_refused bot_banned bot_not_public missing_permission too_many_spaces unknown_bot',
  'members.get': 'missing_permission unknown_member',
  'members.getTimeout': 'missing_permission unknown_timeout',
  'members.kick': 'member_not_below missing_permission unknown_member',
  'members.leave': 'missing_permission owner_cannot_leave',
  'members.liftTimeout': 'member_not_below missing_permission unknown_member unknown_timeout',
  'members.list': 'missing_permission',
  'members.removeBot': 'missing_permission unknown_bot',
  'members.timeOut': 'member_not_below missing_permission unknown_member',
  'members.update': 'automod_refused member_not_below missing_permission unknown_member',
  'members.updateMe': 'automod_refused member_not_below missing_permission unknown_member',
  'members.updateVoice':
    'member_not_below missing_permission not_a_voice_room not_in_voice unknown_member unknown_room voice_room_full voice_unavailable',
  'messages.create':
    'automod_refused embeds_too_large empty_message forward_has_more held_for_review image_too_complex invalid_image no_bucket not_a_message_room not_a_thread not_forwardable slow_mode storage_full storage_unavailable thread_closed too_many_files too_many_held unknown_attachment unknown_message unknown_sticker upload_incomplete upload_too_large',
  'messages.recording': 'thread_closed',
  'messages.typing': 'thread_closed',
  'messages.update': 'automod_refused embeds_too_large empty_message forward_has_more not_editable',
  'notifications.deleteSetting':
    'blocked_conversation missing_permission not_a_member unknown_conversation unknown_room',
  'notifications.subscribe': 'invalid_push_subscription',
  'notifications.updateSetting':
    'blocked_conversation missing_permission not_a_member unknown_conversation unknown_room',
  'overwrites.delete': 'unknown_overwrite',
  'overwrites.upsert':
    'permission_not_held target_type_fixed too_many_overwrites too_many_owned_overwrites too_many_owned_rooms too_many_space_overwrites unknown_capabilities unknown_flags unknown_member unknown_role',
  'ownerProofs.byPasskey': 'passkey_challenge_ended passkey_refused passkeys_unavailable',
  'ownerProofs.preparePasskey': 'password_required passkeys_unavailable unknown_passkey',
  'ownerProofs.start':
    'password_required provider_invalid provider_unreachable unknown_identity unknown_provider',
  'passkeys.add':
    'passkey_challenge_ended passkey_exists passkey_refused passkeys_unavailable too_many_passkeys',
  'passkeys.delete':
    'code_required no_password proof_ended too_many_failed_logins unknown_passkey wrong_code wrong_password',
  'passkeys.prepare':
    'code_required no_password passkeys_unavailable proof_ended too_many_failed_logins too_many_passkeys wrong_code wrong_password',
  'passkeys.prepareLogin': 'passkeys_unavailable',
  'passkeys.update': 'unknown_passkey',
  'pins.add': 'not_pinnable too_many_pins',
  'reactions.add': 'invalid_emoji thread_closed too_many_reactions unknown_emoji',
  'reactions.list': 'invalid_emoji',
  'reactions.remove': 'invalid_emoji',
  'reactions.removeOf': 'invalid_emoji',
  'reports.addNote': 'missing_permission too_many_notes unknown_report',
  'reports.create':
    'already_reported not_reportable reporting_oneself unknown_message unknown_space unknown_user',
  'reports.get': 'missing_permission unknown_report',
  'reports.list': 'missing_permission unknown_report',
  'reports.listNotes': 'missing_permission unknown_report',
  'reports.update': 'missing_permission report_changed reported_again unknown_report',
  'roles.assign': 'everyone_is_fixed missing_permission role_not_below unknown_member unknown_role',
  'roles.create': 'missing_permission permission_not_held too_many_roles unknown_capabilities unknown_flags',
  'roles.delete': 'everyone_is_fixed missing_permission role_not_below unknown_role',
  'roles.list': 'missing_permission',
  'roles.remove': 'everyone_is_fixed missing_permission role_not_below unknown_member unknown_role',
  'roles.update':
    'everyone_is_fixed missing_permission permission_not_held role_not_below unknown_capabilities unknown_flags unknown_role',
  'rooms.create':
    'automod_refused cannot_announce missing_permission not_a_category permission_not_held too_many_owned_overwrites too_many_owned_rooms too_many_rooms too_many_space_overwrites unknown_capabilities unknown_flags unknown_member unknown_role',
  'rooms.follow':
    'already_followed not_an_announcement_room too_many_followers too_many_webhooks unfit_follower',
  'rooms.followRemote':
    'already_followed invalid_source_url not_a_message_room not_an_announcement_feed own_server source_unreachable too_many_remote_follows too_many_webhooks unfit_follower',
  'rooms.followers': 'not_an_announcement_room',
  'rooms.list': 'missing_permission',
  'rooms.update':
    'automod_refused cannot_announce duplicate_tag invalid_tag_name not_a_category not_a_forum unknown_tag',
  'search.conversation': 'empty_search search_timeout',
  'search.space': 'empty_search missing_permission search_timeout unknown_room unknown_thread',
  'secondFactors.confirmSession': 'code_required no_second_factor too_many_failed_logins wrong_code',
  'secondFactors.confirmTotp': 'no_pending_app too_many_failed_logins wrong_code',
  'secondFactors.prepareTotp':
    'code_required no_password proof_ended too_many_failed_logins wrong_code wrong_password',
  'secondFactors.removeTotp':
    'code_required no_password proof_ended too_many_failed_logins wrong_code wrong_password',
  'secondFactors.renewRecoveryCodes':
    'code_required no_password no_second_factor proof_ended too_many_failed_logins wrong_code wrong_password',
  ...archiveErrors,
  'spaces.create': 'too_many_owned_overwrites too_many_owned_rooms too_many_spaces',
  'spaces.delete': 'missing_permission owner_only',
  'spaces.get': 'missing_permission',
  'spaces.transfer':
    'already_owner bots_cannot_own code_required missing_permission owner_only storage_full too_many_failed_logins too_many_owned_overwrites too_many_owned_rooms unknown_member wrong_code',
  'spaces.update':
    'cannot_manage_space disk_full image_needs_multipart image_too_complex image_too_large invalid_image missing_permission no_bucket not_a_text_room storage_full storage_unavailable unknown_attachment upload_too_large',
  'stickers.create':
    'disk_full image_too_complex image_too_large invalid_image missing_image missing_permission name_taken no_bucket storage_full storage_unavailable too_many_stickers unknown_attachment upload_too_large',
  'stickers.delete': 'missing_permission unknown_sticker',
  'stickers.list': 'missing_permission',
  'stickers.update': 'missing_permission name_taken unknown_sticker',
  'threadRooms.create':
    'automod_refused disk_full empty_message held_for_review image_too_complex invalid_image invalid_title missing_permission moderated_tag no_bucket no_threads_here not_a_forum not_movable slow_mode storage_full storage_unavailable tag_required thread_exists too_many_files too_many_held unknown_attachment unknown_message unknown_tag upload_too_large',
  'threadRooms.delete': 'missing_permission',
  'threadRooms.list': 'invalid_cursor no_threads_here',
  'threadRooms.listFollowed': 'invalid_cursor',
  'threadRooms.merge': 'merging_itself missing_permission not_movable thread_merging',
  'threadRooms.move': 'missing_permission not_movable unknown_message',
  'threadRooms.update':
    'automod_refused invalid_title missing_permission moderated_tag not_a_forum tag_required too_many_pinned_posts unknown_tag',
  'users.deleteMe':
    'code_required no_password owns_spaces proof_ended too_many_failed_logins wrong_code wrong_password',
  'users.find': 'unknown_user',
  'users.get': 'unknown_user',
  'users.mutual': 'unknown_user',
  'users.updateMe':
    'automod_refused disk_full image_needs_multipart image_too_complex image_too_large invalid_birthdate invalid_image no_bucket storage_full storage_unavailable unknown_attachment upload_too_large username_taken',
  'voiceChecks.begin': 'invalid_offer voice_unavailable',
  'voiceChecks.beginOfDoctor': 'invalid_offer invalid_signature voice_unavailable',
  'voiceChecks.tellOfLiveKit': 'invalid_signature not_found',
  'wayBacks.find': 'invalid_token',
  'wayBacks.take': 'account_locked former_email_taken invalid_token',
  'webRooms.close': 'missing_permission owner_only',
  'webRooms.open': 'missing_permission not_for_the_web owner_only public_pages_off room_not_open',
  'webhooks.create': 'not_a_message_room too_many_webhooks',
  'webhooks.delete': 'missing_permission not_a_member unknown_room',
  'webhooks.execute':
    'automod_refused embeds_too_large empty_message image_too_complex invalid_image invalid_title moderated_tag no_bucket storage_full storage_unavailable tag_required thread_closed thread_name_required too_many_files unknown_attachment unknown_conversation unknown_message unknown_room unknown_tag unknown_thread upload_too_large',
  'webhooks.executeAsGitHub':
    'automod_refused disk_full embeds_too_large empty_message image_too_complex invalid_image no_bucket storage_full storage_unavailable thread_closed too_many_files unknown_attachment unknown_conversation unknown_message unknown_room unknown_thread unsigned_delivery upload_too_large',
  'webhooks.executeAsSlack':
    'automod_refused disk_full embeds_too_large empty_message image_too_complex invalid_image no_bucket storage_full storage_unavailable thread_closed too_many_files unknown_attachment unknown_conversation unknown_message unknown_room unknown_thread upload_too_large',
  'webhooks.get': 'missing_permission not_a_member unknown_room',
  'webhooks.listOfSpace': 'missing_permission',
  'webhooks.update':
    'already_followed disk_full image_needs_multipart image_too_complex image_too_large invalid_image missing_permission no_bucket not_a_member not_a_message_room storage_full storage_unavailable too_many_webhooks unfit_follower unknown_attachment unknown_room upload_too_large',
  'webhooks.updateByToken':
    'disk_full image_needs_multipart image_too_complex image_too_large invalid_image no_bucket storage_full storage_unavailable unknown_attachment upload_too_large',
  'webhooks.updateMessage': 'automod_refused embeds_too_large empty_message forward_has_more',
}

/** Returns the own errors of an operation. Compatibility methods use the main method's entry, conversations that of rooms. */
export function ownErrors(name: string): ErrorCode[] {
  const first = name.replace(/By(Put|Post)$/, '').replace(/InConversation$/, '')
  return (own[first] ?? '').split(' ').filter(isErrorCode)
}

export function operationsWithOwnErrors(): string[] {
  return Object.keys(own)
}

/** Returns entries of the table that are not error codes. */
export function unknownOwnErrors(): string[] {
  const words = Object.values(own).flatMap((codes) => codes.split(' '))
  return words.filter((word) => !isErrorCode(word))
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}
