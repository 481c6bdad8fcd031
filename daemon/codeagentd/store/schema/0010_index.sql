-- What of each file is left for the background, found without looking at all of them.

CREATE INDEX files_text_due ON files(chunked, length(names) = 0) WHERE chunked <> 1 AND id > 0 AND language > '';
CREATE INDEX files_links_due ON files(linked) WHERE linked = 0 AND resolved = 1 AND id > 0;
