; Elements: those that the script knows are components.
(start_tag (tag_name) @ref @ref.call)
(self_closing_tag (tag_name) @ref @ref.call)
