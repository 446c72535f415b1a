-- Alerts of the back office: one for each kind and subject. Its screens reload at the commit.
CREATE OR REPLACE FUNCTION show_alert(p_id bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('sesame_realtime', json_build_array(json_build_object('room', 'staff',
    'name', 'desk:changed', 'body', json_build_object('what', 'alert', 'id', p_id::text)))::text)
$$;

-- Raises alerts of one kind. A resolved one is opened again with the current details, unless it happens once
-- (p_once). An open one keeps its details, or (p_open) is 'updated' and keeps its time, or is raised 'anew', as
-- of now. A `count` adds up. → how many are new or have changed
CREATE OR REPLACE FUNCTION raise_alerts(
  p_kind text, p_subjects text[], p_details jsonb[], p_now timestamptz,
  p_open text DEFAULT 'stays', p_once boolean DEFAULT false
) RETURNS int LANGUAGE sql AS $$
  WITH raised AS (
    INSERT INTO alerts AS a (kind, subject, details, created_at)
    SELECT DISTINCT ON (g.subject) p_kind, g.subject, g.details, p_now
    FROM unnest(p_subjects, p_details) AS g(subject, details) ORDER BY g.subject
    ON CONFLICT (kind, subject) DO UPDATE SET
      details = excluded.details || CASE WHEN excluded.details ? 'count' THEN jsonb_build_object('count',
        coalesce((a.details ->> 'count')::int, 0) + (excluded.details ->> 'count')::int) ELSE '{}' END,
      created_at = CASE WHEN a.resolved_at IS NULL AND p_open = 'updated' THEN a.created_at
        ELSE excluded.created_at END,
      resolved_at = NULL, resolved_by = NULL, resolution = NULL
    WHERE CASE WHEN a.resolved_at IS NOT NULL THEN NOT p_once
      WHEN p_open = 'updated' THEN a.details <> excluded.details ELSE p_open = 'anew' END
    RETURNING id
  ) SELECT count(*)::int FROM raised, show_alert(id)
$$;

-- Resolves alerts: by a person with a note, or by the system (NULL). p_noted is added to their details, also to
-- those of alerts resolved before.
CREATE OR REPLACE FUNCTION resolve_alerts(
  p_kinds text[], p_subjects text[], p_now timestamptz,
  p_by bigint DEFAULT NULL, p_resolution text DEFAULT NULL, p_noted jsonb DEFAULT NULL
) RETURNS void LANGUAGE sql AS $$
  WITH resolved AS (
    UPDATE alerts a SET details = a.details || coalesce(p_noted, '{}'),
      resolved_at = coalesce(a.resolved_at, p_now), resolved_by = coalesce(a.resolved_by, p_by),
      resolution = coalesce(a.resolution, p_resolution)
    WHERE a.kind = ANY (p_kinds) AND a.subject = ANY (p_subjects)
      AND (a.resolved_at IS NULL OR p_noted IS NOT NULL)
    RETURNING id
  ) SELECT show_alert(id) FROM resolved
$$;
