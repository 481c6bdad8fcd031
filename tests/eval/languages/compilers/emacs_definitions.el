;;; emacs_definitions.el --- What Emacs sees as definitions in Lisp -*- lexical-binding: t; -*-
;; emacs --batch -Q -l emacs_definitions.el -f print-definitions MODE, with paths on standard input: HEAD NAME PATH LINE.
;; A definition is a list outside of comments and strings that begins with a word like `def', `cl-defun', `define-record-type'.

(defconst no-definition
  (concat "\\(?:key\\*?\\|key-after\\|default\\|definitions?\\|keymap\\|setter\\|expander\\|imenu\\)\\'"
          "\\|\\`\\(?:define-\\(?:abbrev\\|prefix-command\\|advice\\|module\\|library\\|values\\|coding-system-alias\\)\\|defadvice\\|default\\|defer\\)")
  "Words that look like those of definitions.")

(defconst definition "(\\(\\(?:[a-z]+-\\)*def[^][ \t\n()\"]*\\)[ \t\n]+")

(defun print-definition (path)
  "Print the definition after point, if there is one."
  (let ((head (match-string 1)) (start (match-beginning 0)))
    (unless (or (string-match-p no-definition head)
                (save-excursion (let ((state (syntax-ppss start))) (or (nth 3 state) (nth 4 state)))))
      (save-excursion
        (while (looking-at "[ \t\n]*[('][ \t\n]*") (goto-char (match-end 0)))
        (when (looking-at "[^][ \t\n()\"';`,#.:0-9][^][ \t\n()\"';`,]*")
          (princ (format "%s\t%s\t%s\t%d\n" head (match-string 0) path (line-number-at-pos))))))))

(defun print-record (path start)
  "Print the constructor, the predicate and the accessors of the Scheme record type whose definition begins at START."
  (save-excursion
    (goto-char start)
    (let* ((end (or (ignore-errors (scan-sexps start 1)) start))
           (form (ignore-errors (read (buffer-substring start end))))
           (fields (nthcdr 4 form)))
      (dolist (name (append (list (car-safe (nth 2 form)) (nth 2 form) (nth 3 form)) (mapcan (lambda (field) (and (proper-list-p field) (copy-sequence (cdr field)))) (and (proper-list-p fields) fields))))
        (goto-char start)
        (when (and name (symbolp name)
                   (re-search-forward (concat "[ \t\n(]" (regexp-quote (symbol-name name)) "[ \t\n)]") end t))
          (princ (format "record\t%s\t%s\t%d\n" name path (line-number-at-pos (1+ (match-beginning 0))))))))))

(defun print-definitions ()
  "Print the definitions of the files whose paths are on standard input."
  (let ((mode (intern (pop command-line-args-left))) path)
    (while (setq path (ignore-errors (read-from-minibuffer "")))
      (with-temp-buffer
        (let ((coding-system-for-read 'utf-8)) (insert-file-contents path))
        (delay-mode-hooks (funcall mode))
        (goto-char (point-min))
        (while (re-search-forward definition nil t)
          (when (equal (match-string 1) "define-record-type")
            (save-match-data (print-record path (match-beginning 0))))
          (print-definition path))))))
