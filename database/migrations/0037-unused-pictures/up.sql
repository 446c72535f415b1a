-- When a picture was last shown by a product: a day later its files and its row go.
--
-- Locks: ACCESS EXCLUSIVE on images for a moment, which holds a row for each picture only.
SET LOCAL lock_timeout = '2s';

ALTER TABLE images ADD COLUMN unused_since timestamptz;
CREATE INDEX images_by_seller ON images (seller_id, created_at);
CREATE INDEX images_unused ON images (unused_since) WHERE unused_since IS NOT NULL;
CREATE INDEX products_by_image ON products (image_id) WHERE image_id IS NOT NULL;

INSERT INTO upkeep_tasks (name, due_at) VALUES ('catalogue.sweep-images', '-infinity');
