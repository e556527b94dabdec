-- Which memories a recall showed: so that it can be asked of a memory when it was shown, and to whom.
CREATE TABLE shown (
  memory_id TEXT    NOT NULL,
  recall_id TEXT    NOT NULL,
  project   TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  session   TEXT,
  rank      INTEGER NOT NULL CHECK (rank > 0),
  at        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, recall_id)
) STRICT, WITHOUT ROWID;

INSERT INTO shown (memory_id, recall_id, project, agent, session, rank, at)
SELECT id.value, e.recall_id, e.project, e.agent, e.session, min(id.key) + 1, e.at
FROM recall_event AS e CROSS JOIN json_each(e.result_ids) AS id
GROUP BY id.value, e.recall_id;
