-- Prosody as Debian sets it up (/etc/prosody/prosody.cfg.lua of 0.12.3), except for the lines under "changed".

-- changed: the folders of its files, and permission to run as root
data_path = "{folder}/data"
pidfile = "{folder}/prosody.pid"
certificates = "{folder}"
run_as_root = true

modules_enabled = {
	"disco"; "roster"; "saslauth"; "tls";
	"blocklist"; "bookmarks"; "carbons"; "dialback"; "pep"; "private"; "smacks"; "vcard4"; "vcard_legacy";
	"csi_simple"; "invites"; "invites_adhoc"; "invites_register"; "ping"; "register"; "time"; "uptime"; "version";
	"admin_adhoc"; "posix";
	-- changed: without "limits", which allows a connection 10 kB a second, and "admin_shell", which listens on a fixed port
}
-- changed: no connections to other servers
modules_disabled = { "s2s" }

-- changed: passwords without TLS, over loopback, and stored as they are, which makes thousands of logins quicker
c2s_ports = { {port} }
c2s_interfaces = { "127.0.0.1" }
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"

archive_expires_after = "1w"

-- changed: logs only warnings
log = { warn = "{folder}/prosody.log" }

VirtualHost "localhost"

-- Debian's conf.d has no chat rooms; this component is from Prosody's documentation.
Component "conference.localhost" "muc"
	modules_enabled = { {archive} }
	-- changed: by default, a new room waits for its owner's settings, and sends all presences to everyone, which takes minutes for 1,000
	muc_room_locking = false
	muc_room_default_presence_broadcast = { visitor = false; participant = false; moderator = false; }
	-- changed: by default, the archive of a room keeps 10,000 messages, and rewrites its file for each later message
	storage_archive_item_limit = 10000000
