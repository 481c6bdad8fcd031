; What Clojure's reader sees as definitions: clojure -i clojure.clj, with files on standard input; prints KIND NAME PATH LINE.
(require '[clojure.string :as str])

(defn shown [path kind sym]
  (when (symbol? sym)
    (println (str/join "\t" [kind (name sym) path (:line (meta sym))]))))

(declare walk)

(defn walk-all [path forms] (doseq [form forms] (walk path form)))

(defn walk [path form]
  (cond
    (and (seq? form) (symbol? (first form)))
    (let [[head sym & body] form
          word (name head)]
      (when (#{"ns" "def" "defn" "defn-" "defmacro" "defmulti" "defonce" "deftest" "defprotocol" "defrecord" "deftype" "definterface"} word)
        (when (symbol? sym) (shown path word (with-meta sym {:line (:line (meta form))}))))
      (when (#{"defprotocol" "definterface"} word)
        (doseq [method body :when (and (seq? method) (symbol? (first method)))]
          (shown path "method" (with-meta (first method) {:line (:line (meta method))}))))
      (when-not (#{"comment" "quote"} word) (walk-all path (rest form))))
    (reader-conditional? form) (walk-all path (take-nth 2 (rest (:form form))))
    (map? form) (walk-all path (mapcat identity form))
    (coll? form) (walk-all path form)
    :else nil))

; Keywords by an alias need its namespace: they are read without it.
(defn source [path] (str/replace (slurp path) #"::([\w.-]+)/" ":$1/"))

(doseq [path (str/split-lines (slurp *in*))]
  (let [reader (clojure.lang.LineNumberingPushbackReader. (java.io.StringReader. (source path)))]
    (binding [*default-data-reader-fn* (fn [_ form] form)
              *ns* (create-ns 'reading)
              *read-eval* false]
      (try
        (loop []
          (let [form (read {:eof ::end :read-cond :preserve} reader)]
            (when-not (= form ::end)
              (walk path form)
              (recur))))
        (catch Exception error
          (println (str/join "\t" ["failed" (str/replace (str (.getMessage error)) #"\s+" " ") path (.getLineNumber reader)])))))))
