# What Elixir's compiler and parser know of a repository, as lines of words between tabs:
#
#     elixir elixir.exs ROOT OUTPUT FOLDER_OF_DEPENDENCIES...
#
# module    NAME  PATH  LINE
# function  MODULE  NAME  ARITY  PATH  LINE          one line per clause
# place     KIND  MODULE  NAME  ARITY  PATH  LINE    an attribute or type, or the name of a function in its specification
# definition  KIND  NAME  PATH  LINE                 by the parser, in all files
# quote     PATH  FIRST  LAST                        lines of code that is compiled where a macro is used
# use       KIND  MODULE  NAME  ARITY  PATH  LINE    KIND: call, module, attribute, type; MODULE: the one that has the name
#
# Files are compiled in memory; compilation runs the macros of the repository.

defmodule Uses.Tracer do
  @moduledoc "Keeps what the compiler resolves, and the definitions of the modules that it has made."

  def trace({kind, meta, module, name, arity}, env)
      when kind in [:remote_function, :remote_macro, :imported_function, :imported_macro],
      do: keep("call", meta, module, name, arity, env)

  def trace({kind, meta, name, arity}, env) when kind in [:local_function, :local_macro],
    do: keep("call", meta, env.module, name, arity, env)

  def trace({:alias_reference, meta, module}, env), do: keep("module", meta, module, "", 0, env)
  def trace({:struct_expansion, meta, module, _}, env), do: keep("module", meta, module, "", 0, env)
  def trace({kind, meta, module, _}, env) when kind in [:import, :require], do: keep("module", meta, module, "", 0, env)
  def trace({:alias, meta, module, _, _}, env), do: keep("module", meta, module, "", 0, env)
  def trace({:alias_expansion, meta, as, module}, env), do: keep("alias", meta, module, inspect(as), 0, env)

  def trace({:on_module, bytecode, _}, env) do
    with {:ok, {_, [debug_info: {:debug_info_v1, _, {:elixir_v1, %{definitions: found} = map, _}}]}} <-
           :beam_lib.chunks(bytecode, [:debug_info]) do
      :ets.insert(:modules, {env.module, env.file, map[:line] || env.line})

      for {{name, arity}, _, meta, clauses} <- found,
          line <- [meta[:line] | for({meta, _, _, _} <- clauses, do: meta[:line])],
          line != nil,
          do: :ets.insert(:functions, {env.module, name, arity, env.file, line})
    end

    :ok
  end

  def trace(_, _), do: :ok

  defp keep(kind, meta, module, name, arity, env) do
    if meta[:line], do: :ets.insert(:uses, {kind, module, name, arity, env.file, meta[:line]})
    :ok
  end
end

defmodule Uses.Attributes do
  @moduledoc "Finds what the compiler does not report, in the syntax tree: attributes, types, specifications, __MODULE__."

  @own ~w(spec type typep opaque callback macrocallback)a

  def walk({:defmodule, _, [name, [do: body]]}, {outer, aliases}, out), do: inside(name, body, outer, aliases, out)
  def walk({:defprotocol, _, [name, [do: body]]}, {outer, aliases}, out), do: inside(name, body, outer, aliases, out)

  def walk({:__block__, _, parts}, around, out) when is_list(parts) do
    Enum.reduce(parts, around, fn part, {outer, aliases} = around ->
      walk(part, around, out)
      {outer, Map.merge(aliases, aliases_of(part, around))}
    end)
  end

  def walk({:@, _, [{kind, _, [spec]}]}, around, out) when kind in @own, do: spec(kind, spec, around, out)

  def walk({:@, meta, [{name, _, arguments}]}, {module, _} = around, out) do
    if is_list(arguments) do
      out.("place", "attribute", module, name, 0, meta[:line])
      walk(arguments, around, out)
    else
      out.("use", "attribute", module, name, 0, meta[:line])
    end
  end

  def walk({:__MODULE__, meta, context}, {module, _}, out) when is_atom(context),
    do: out.("use", "module", module, "", 0, meta[:line])

  def walk({form, _, arguments}, around, out) do
    walk(form, around, out)
    walk(arguments, around, out)
  end

  def walk({left, right}, around, out) do
    walk(left, around, out)
    walk(right, around, out)
  end

  def walk(parts, around, out) when is_list(parts), do: Enum.each(parts, &walk(&1, around, out))
  def walk(_, _, _), do: :ok

  defp inside(name, body, outer, aliases, out) do
    inner = Enum.reject([outer, text(name, {outer, aliases})], &(&1 in ["", "nil"])) |> Enum.join(".")
    nested = if outer == "", do: %{}, else: %{text(name, {"", %{}}) => inner}
    body = if match?({:__block__, _, _}, body), do: body, else: {:__block__, [], [body]}
    walk(body, {inner, Map.merge(aliases, Map.merge(nested_in(body, inner), nested))}, out)
  end

  defp nested_in({:__block__, _, parts}, inner) do
    for {:defmodule, _, [{:__aliases__, _, [name]} | _]} <- parts, into: %{}, do: {"#{name}", "#{inner}.#{name}"}
  end

  defp aliases_of({:alias, _, [{{:., _, [base, :{}]}, _, names} | _]}, around) do
    for {:__aliases__, _, parts} <- names,
        into: %{},
        do: {"#{List.last(parts)}", Enum.join([text(base, around) | parts], ".")}
  end

  defp aliases_of({:alias, _, [name, [as: {:__aliases__, _, [as]}]]}, around), do: %{"#{as}" => text(name, around)}

  defp aliases_of({:alias, _, [{:__aliases__, _, parts} = name | _]}, around),
    do: %{"#{List.last(parts)}" => text(name, around)}

  defp aliases_of(_, _), do: %{}

  defp text({:__aliases__, _, [{:__MODULE__, _, _} | rest]}, {outer, _}), do: Enum.join([outer | rest], ".")

  defp text({:__aliases__, _, [first | rest]}, {_, aliases}) when is_atom(first),
    do: Enum.join([Map.get(aliases, "#{first}", "#{first}") | rest], ".")

  defp text({:__MODULE__, _, _}, {outer, _}), do: outer
  defp text(_, _), do: ""

  defp spec(kind, {:when, _, [spec, limits]}, around, out) do
    spec(kind, spec, around, out)
    if is_list(limits), do: types(Keyword.values(limits), around, out)
  end

  defp spec(kind, {:"::", _, [{name, meta, arguments}, result]}, {module, _} = around, out) do
    arguments = if is_list(arguments), do: arguments, else: []

    case kind do
      :spec -> out.("use", "call", module, name, length(arguments), meta[:line])
      kind when kind in [:callback, :macrocallback] -> :ok
      _ -> out.("place", "type", module, name, length(arguments), meta[:line])
    end

    if kind in [:spec, :callback, :macrocallback], do: types(arguments, around, out)
    types(result, around, out)
  end

  defp spec(_, _, _, _), do: :ok

  defp types({:"::", _, [_, type]}, around, out), do: types(type, around, out)

  defp types({:__MODULE__, meta, context}, {module, _}, out) when is_atom(context),
    do: out.("use", "module", module, "", 0, meta[:line])

  defp types({:__aliases__, meta, _} = name, around, out), do: out.("use", "module", text(name, around), "", 0, meta[:line])

  defp types({{:., _, [owner, name]}, meta, arguments}, around, out) do
    types(owner, around, out)
    out.("use", "type", text(owner, around), name, length(arguments), meta[:line])
    types(arguments, around, out)
  end

  defp types({name, meta, arguments}, {module, _} = around, out) when is_atom(name) do
    out.("use", "type", module, name, if(is_list(arguments), do: length(arguments), else: 0), meta[:line])
    types(arguments, around, out)
  end

  defp types({left, right}, around, out) do
    types(left, around, out)
    types(right, around, out)
  end

  defp types(parts, around, out) when is_list(parts), do: Enum.each(parts, &types(&1, around, out))
  defp types(_, _, _), do: :ok
end

defmodule Uses.Definitions do
  @moduledoc "Finds the definitions that are written in a syntax tree, each clause of a function by itself."

  @functions ~w(def defp defmacro defmacrop defguard defguardp defdelegate)a
  @ignored ~w(spec impl doc moduledoc typedoc behaviour derive enforce_keys deprecated since compile dialyzer tag moduletag
    describetag external_resource before_compile after_compile on_definition on_load optional_callbacks file vsn nifs protocol
    fallback_to_any after_verify)a

  def walk({word, meta, [name | rest]}, out) when word in [:defmodule, :defprotocol] do
    out.(word, Macro.to_string(name), meta[:line])
    walk(rest, out)
  end

  def walk({word, _, [{:when, _, [head, guard]} | rest]}, out) when word in @functions,
    do: walk({word, [], [head | [guard | rest]]}, out)

  def walk({word, _, [{name, meta, _} | rest]}, out) when word in @functions do
    if is_atom(name) and name != :unquote, do: out.(word, name, meta[:line])
    walk(rest, out)
  end

  def walk({word, meta, [text | rest]}, out) when word in [:test, :property] and is_binary(text) do
    if List.keymember?(List.last([[] | rest]) |> List.wrap(), :do, 0), do: out.(word, text, meta[:line])
    walk(rest, out)
  end

  def walk({:@, _, [{kind, _, [{:when, _, [spec, _]}]}]}, out), do: walk({:@, [], [{kind, [], [spec]}]}, out)

  def walk({:@, _, [{kind, _, [{:"::", _, [{name, meta, _}, _]}]}]}, out)
      when kind in [:type, :typep, :opaque, :callback, :macrocallback] and is_atom(name),
      do: out.(kind, name, meta[:line])

  def walk({:@, meta, [{name, _, [value]}]}, out) when name not in @ignored do
    out.(:attribute, "@#{name}", meta[:line])
    walk(value, out)
  end

  def walk({form, _, arguments}, out) do
    walk(form, out)
    walk(arguments, out)
  end

  def walk({left, right}, out) do
    walk(left, out)
    walk(right, out)
  end

  def walk(parts, out) when is_list(parts), do: Enum.each(parts, &walk(&1, out))
  def walk(_, _), do: :ok

  def quotes(tree) do
    {_, found} =
      Macro.prewalk(tree, [], fn
        {:quote, meta, _} = node, found -> {node, [{meta[:line], meta[:end][:line] || meta[:line]} | found]}
        node, found -> {node, found}
      end)

    found
  end
end

[root, output | dependencies] = System.argv()
for table <- [:modules, :functions, :uses], do: :ets.new(table, [:public, :named_table, :duplicate_bag])
{:ok, _} = Application.ensure_all_started(:mix)
Code.put_compiler_option(:ignore_module_conflict, true)
sources = fn folder -> Path.wildcard(Path.join(folder, "lib/**/*.ex")) end

for folder <- dependencies do
  for file <- Path.wildcard(Path.join(folder, "src/**/*.erl")),
      {:ok, module, binary} <- [:compile.file(to_charlist(file), [:binary])],
      do: :code.load_binary(module, to_charlist(file), binary)

  Kernel.ParallelCompiler.compile(sources.(folder))
end

Code.put_compiler_option(:tracers, [Uses.Tracer])
Code.put_compiler_option(:parser_options, columns: true)
File.cd!(root)

# a file that this version cannot compile costs itself and those that need it
Enum.reduce_while(1..20, sources.("."), fn _, files ->
  for table <- [:modules, :functions, :uses], do: :ets.delete_all_objects(table)

  case Kernel.ParallelCompiler.compile(files) do
    {:ok, _, _} -> {:halt, files}
    {:error, errors, _} -> {:cont, files -- Enum.map(errors, &Path.relative_to(to_string(elem(&1, 0)), root))}
  end
end)

File.open!(output, [:write, :utf8], fn io ->
  relative = &Path.relative_to(to_string(&1), root)
  put = fn words -> IO.puts(io, Enum.join(words, "\t")) end
  for {module, file, line} <- :ets.tab2list(:modules), do: put.(["module", inspect(module), relative.(file), line])

  for {module, name, arity, file, line} <- :ets.tab2list(:functions),
      do: put.(["function", inspect(module), name, arity, relative.(file), line])

  for {kind, module, name, arity, file, line} <- :ets.tab2list(:uses),
      do: put.(["use", kind, inspect(module), name, arity, relative.(file), line])

  for file <- sources.("."), {:ok, tree} <- [Code.string_to_quoted(File.read!(file), columns: true)] do
    out = fn what, kind, module, name, arity, line -> put.([what, kind, module, name, arity, file, line]) end
    tree = if match?({:__block__, _, _}, tree), do: tree, else: {:__block__, [], [tree]}
    Uses.Attributes.walk(tree, {"", %{}}, out)
  end

  for file <- Path.wildcard("**/*.{ex,exs}"), {:ok, tree} <- [Code.string_to_quoted(File.read!(file), token_metadata: true)] do
    Uses.Definitions.walk(tree, fn kind, name, line -> put.(["definition", kind, name, file, line]) end)
    for {first, last} <- Uses.Definitions.quotes(tree), do: put.(["quote", file, first, last])
  end
end)
