import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { AppError } from '../../domain/errors.ts'

/** Applied once each, in order; never edited after a release. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    title TEXT,
    title_is_default INTEGER NOT NULL,
    sandbox_id TEXT NOT NULL,
    working_dir TEXT NOT NULL,
    selected_repository TEXT,
    selected_branch TEXT,
    git_provider TEXT,
    trigger TEXT,
    pr_number TEXT NOT NULL,
    llm_model TEXT,
    instructions TEXT,
    parent_conversation_id TEXT,
    execution_status TEXT NOT NULL,
    limit_reached TEXT,
    max_iterations INTEGER NOT NULL,
    max_budget_per_task REAL,
    stats TEXT NOT NULL,
    replay TEXT
  ) STRICT;
  CREATE INDEX conversation_created ON conversation (created_at DESC, id);
  CREATE INDEX conversation_updated ON conversation (updated_at DESC, id);
  CREATE INDEX conversation_sandbox ON conversation (sandbox_id);
  CREATE INDEX conversation_parent ON conversation (parent_conversation_id) WHERE parent_conversation_id IS NOT NULL;

  CREATE TABLE event (
    conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE start_task (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX start_task_created ON start_task (created_at DESC, id);
  CREATE INDEX start_task_conversation ON start_task (conversation_id);
  `,
  `
  CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    description TEXT NOT NULL,
    vault_item TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE provider_token (
    provider TEXT PRIMARY KEY,
    host TEXT,
    user_id TEXT,
    vault_item TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE stray_vault_item (name TEXT PRIMARY KEY) STRICT;
  `,
  `
  CREATE TABLE gateway_conversation (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE sandbox_spec (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, body TEXT NOT NULL) STRICT;

  CREATE TABLE sandbox_spec_default (spec_id TEXT PRIMARY KEY, settings_image TEXT NOT NULL) STRICT;
  `,
  `
  ALTER TABLE conversation ADD COLUMN agent_type TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE conversation ADD COLUMN confirmation_policy TEXT NOT NULL DEFAULT '{"kind":"NeverConfirm"}';
  ALTER TABLE conversation ADD COLUMN security_analyzer TEXT;
  ALTER TABLE conversation ADD COLUMN always_allowed TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE conversation ADD COLUMN stuck_detection INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE conversation ADD COLUMN forked_from_conversation_id TEXT;
  ALTER TABLE conversation ADD COLUMN forked_from_event_id TEXT;
  `,
  `
  CREATE TABLE pending_message (
    position INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX pending_message_conversation ON pending_message (conversation_id, position);

  CREATE TABLE reported_conversation (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE
  ) STRICT;
  CREATE TABLE reported_event (
    conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, event_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE experiment_config (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE INDEX event_id ON event (id);
  `,
  `
  CREATE INDEX conversation_listed_created ON conversation (created_at DESC, id) WHERE parent_conversation_id IS NULL;
  CREATE INDEX conversation_listed_updated ON conversation (updated_at DESC, id) WHERE parent_conversation_id IS NULL;
  `,
  `
  CREATE TABLE conversation_knowledge (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE conversation_tool_servers (conversation_id TEXT PRIMARY KEY, vault_item TEXT NOT NULL UNIQUE) STRICT;
  CREATE TRIGGER tool_servers_given_up AFTER DELETE ON conversation_tool_servers BEGIN
    INSERT OR IGNORE INTO stray_vault_item (name) VALUES (old.vault_item);
  END;
  CREATE TRIGGER tool_servers_of_deleted AFTER DELETE ON conversation BEGIN
    DELETE FROM conversation_tool_servers WHERE conversation_id = old.id;
  END;
  `,
  `
  CREATE TABLE usage_day (
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    usage_id TEXT NOT NULL,
    steps INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    unknown_cost_steps INTEGER NOT NULL,
    PRIMARY KEY (day, model, usage_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE conversation_secrets (
    conversation_id TEXT PRIMARY KEY,
    vault_item TEXT NOT NULL UNIQUE,
    told TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER conversation_secrets_given_up AFTER DELETE ON conversation_secrets BEGIN
    INSERT OR IGNORE INTO stray_vault_item (name) VALUES (old.vault_item);
  END;
  CREATE TRIGGER conversation_secrets_of_deleted AFTER DELETE ON conversation BEGIN
    DELETE FROM conversation_secrets WHERE conversation_id = old.id;
  END;
  `,
  `
  CREATE TABLE llm_profile (
    name TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    base_url TEXT,
    vault_item TEXT UNIQUE
  ) STRICT;
  `,
  `
  CREATE TABLE sub_agent (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  `,
  // With the column of the condition in it, a page is read from the index alone.
  `
  DROP INDEX conversation_listed_created;
  DROP INDEX conversation_listed_updated;
  CREATE INDEX conversation_listed_created ON conversation (created_at DESC, id, parent_conversation_id)
    WHERE parent_conversation_id IS NULL;
  CREATE INDEX conversation_listed_updated ON conversation (updated_at DESC, id, parent_conversation_id)
    WHERE parent_conversation_id IS NULL;
  `,
  // Earlier versions stored no time where a step had recorded nothing.
  `
  UPDATE conversation SET updated_at = created_at WHERE updated_at = '';
  `,
  // A sandbox that was made for a start, and in which none has come to its end, was to be removed at every start.
  `
  CREATE TABLE sandbox_removal (sandbox_id TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT;
  INSERT INTO sandbox_removal (sandbox_id, reason)
    SELECT json_extract(body, '$.sandbox_id') AS sandbox, 'abandoned' FROM start_task GROUP BY sandbox
      HAVING sandbox IS NOT NULL AND max(json_extract(body, '$.request.sandbox_id') IS NULL)
        AND max(json_extract(body, '$.status') = 'READY') = 0;
  CREATE TABLE sandbox_state (sandbox_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  INSERT INTO sandbox_state (sandbox_id, body)
    SELECT sandbox_id, json_object(
      'id', sandbox_id, 'specId', '', 'createdAt', min(created_at), 'container', json_object(
        'id', '', 'name', sandbox_id, 'image', '', 'status', 'exited', 'createdAt', min(created_at),
        'labels', json_object(), 'ports', json_object()
      )
    ) FROM conversation WHERE sandbox_id <> '' GROUP BY sandbox_id;
  CREATE TABLE conversation_deletion (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    keep_sandbox INTEGER NOT NULL
  ) STRICT;
  `,
  // What of a repository runs by itself, and with what content a person trusts it.
  `
  CREATE TABLE trusted_repository (
    repository TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    trusted_at TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (repository, sha256)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE conversation_repository (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    repository TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX conversation_repository_repository ON conversation_repository (repository);
  `,
  // Which conversations a client of the legacy generation created, and what it calls them.
  `
  CREATE TABLE legacy_conversation (conversation_id TEXT PRIMARY KEY, name TEXT) STRICT;
  `,
  // How saved models are asked.
  `
  ALTER TABLE llm_profile ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
  `,
  // How a conversation was started is nobody's concern once it is gone. A start that failed never had one, and stays.
  `
  CREATE TRIGGER conversation_start_tasks AFTER DELETE ON conversation
    BEGIN DELETE FROM start_task WHERE conversation_id = old.id; END;
  DELETE FROM start_task WHERE conversation_id NOT IN (SELECT id FROM conversation)
    AND CASE WHEN json_valid(body) THEN json_extract(body, '$.status') END = 'READY';
  `,
  // The folder of this computer that a conversation began with.
  `
  ALTER TABLE conversation ADD COLUMN source_folder TEXT;
  `,
  // How an agent works on it, where it lies when it is mounted, and in which folders a person lets agents work themselves.
  `
  ALTER TABLE conversation ADD COLUMN folder_mode TEXT;
  ALTER TABLE conversation ADD COLUMN mounted_folder TEXT;
  UPDATE conversation SET folder_mode = 'copy' WHERE source_folder IS NOT NULL;
  CREATE TABLE confirmed_folder (path TEXT PRIMARY KEY, confirmed_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // How a token that a sign-in gave is renewed.
  `
  ALTER TABLE provider_token ADD COLUMN renewal TEXT;
  `,
  // What runs at the host of a token of enterprise_sso.
  `
  ALTER TABLE provider_token ADD COLUMN software TEXT;
  `,
  // What the files of conversations were.
  `
  CREATE TABLE checkpoint (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    tree TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX checkpoint_conversation ON checkpoint (conversation_id, id);
  `,
  // What is rare in a long log is found without reading all of it.
  `
  CREATE INDEX event_kind ON event (conversation_id, kind, seq);
  CREATE INDEX event_user_message ON event (conversation_id, seq)
    WHERE kind = 'MessageEvent' AND json_extract(iif(json_valid(body), body, '{}'), '$.source') = 'user';
  `,
  // Tasks that were given to several conversations at once.
  `
  CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX attempts_conversation ON attempts (conversation_id);
  `,
  // Which checkpoint follows removed ones.
  `
  ALTER TABLE checkpoint ADD COLUMN after_gap INTEGER NOT NULL DEFAULT 0;
  `,
  // What sandboxes reach, where that was changed after their start.
  `
  CREATE TABLE sandbox_network (sandbox_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Sandboxes that were paused for want of use, and not by a person.
  `
  CREATE TABLE sandbox_idle_pause (sandbox_id TEXT PRIMARY KEY, minutes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Engines that a person added, and whose each sandbox is.
  `
  CREATE TABLE engine (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE sandbox_state ADD COLUMN engine_id TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE sandbox_removal ADD COLUMN engine_id TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE sandbox_network ADD COLUMN engine_id TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE sandbox_idle_pause ADD COLUMN engine_id TEXT NOT NULL DEFAULT 'default';
  `,
  // What a person has put first or away.
  `
  ALTER TABLE conversation ADD COLUMN pinned_at TEXT;
  ALTER TABLE conversation ADD COLUMN archived_at TEXT;
  ALTER TABLE conversation ADD COLUMN listed_at TEXT;
  CREATE INDEX conversation_pinned ON conversation (pinned_at) WHERE pinned_at IS NOT NULL;
  `,
]

/** The version of the tables that this Atelier writes. */
export function latestVersion(): number {
  return MIGRATIONS.length
}

/** @param last tests stop at an older version */
export function migrate(connection: DatabaseSyncInstance, last = MIGRATIONS.length): void {
  const row = connection.prepare('PRAGMA user_version').get() as { user_version: number }
  if (row.user_version > MIGRATIONS.length) {
    throw new AppError('store_failed', 'The data folder was written by a newer Atelier. Update the app to open it.')
  }
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < row.user_version || index >= last) continue
    connection.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
