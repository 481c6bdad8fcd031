;;; What tests have Emacs do with Eglot: the places of a file of JSON are asked about, and the answers printed as JSON.
;;; usage: emacs --batch -l emacs_client.el COMMAND FILE; it ends with 77 where Emacs has no Eglot.
;;; An order is [name, path, line, column, …], with line and column from 0.
(require 'package)
(package-initialize)
(unless (require 'eglot nil t) (kill-emacs 77))
(require 'imenu)
(require 'json)

(let ((command (list (pop command-line-args-left))))
  (add-to-list 'eglot-server-programs (cons 'prog-mode command) t)
  (add-to-list 'eglot-server-programs (cons '(python-mode java-mode) command)))
(setq eglot-sync-connect t make-backup-files nil auto-save-default nil create-lockfiles nil)

(defun client-here ()
  (vector (buffer-file-name) (1- (line-number-at-pos)) (- (point) (line-beginning-position))))

(defun client-place (xref)
  (let ((marker (xref-location-marker (xref-item-location xref))))
    (with-current-buffer (marker-buffer marker)
      (save-excursion (goto-char marker) (client-here)))))

(defun client-open (path line column)
  (find-file path)
  (when (eq major-mode 'fundamental-mode) (prog-mode)) ; where Emacs has no mode of the language
  (unless (eglot-current-server) (apply #'eglot--connect (eglot--guess-contact)))
  (unless (eglot-managed-p) (eglot--maybe-activate-editing-mode))
  (goto-char (point-min))
  (forward-line line)
  (forward-char column))

(defun client-definition ()
  (xref-find-definitions (xref-backend-identifier-at-point 'eglot))
  (client-here))

(defun client-references ()
  (vconcat (mapcar #'client-place (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot)))))

(defun client-outline ()
  (let (names)
    (cl-labels ((collect (entries)
                  (dolist (entry entries)
                    (push (substring-no-properties (car entry)) names)
                    (when (and (consp (cdr entry)) (consp (cadr entry))) (collect (cdr entry))))))
      (collect (eglot-imenu)))
    (vconcat (nreverse names))))

(defun client-rename (name)
  (eglot-rename name)
  (let (texts)
    (dolist (buffer (buffer-list))
      (when (and (buffer-file-name buffer) (buffer-modified-p buffer))
        (with-current-buffer buffer
          (push (cons (buffer-file-name) (buffer-substring-no-properties (point-min) (point-max))) texts)
          (revert-buffer t t t))))
    (vconcat (mapcar (lambda (text) (vector (car text) (cdr text))) texts))))

(let ((orders (json-parse-string (with-temp-buffer (insert-file-contents (pop command-line-args-left)) (buffer-string))
                                 :array-type 'list))
      answers)
  (dolist (order orders)
    (client-open (nth 1 order) (nth 2 order) (nth 3 order))
    (push (apply (intern (concat "client-" (car order))) (nthcdr 4 order)) answers))
  (princ (json-serialize (vconcat (nreverse answers)))))
(mapc #'eglot-shutdown (cl-remove-duplicates (delq nil (mapcar (lambda (buffer) (with-current-buffer buffer (eglot-current-server))) (buffer-list)))))
