#!/usr/bin/env escript
%% What Erlang's own preprocessor and parser know of a repository: escript erlang.escript ROOT, with paths on standard input.
%%
%% definition  KIND  NAME  ARITY  MODULE  PATH  LINE
%% judged      PATH  FIRST  LAST    lines of a form that is parsed: others are left out by a condition, or have errors
%% use         KIND  NAME  ARITY  MODULE  PATH  LINE    KIND: call, type, record, module; MODULE: that which has the name

main([Root]) ->
    ok = file:set_cwd(Root),
    ok = io:setopts([{encoding, utf8}]),
    Paths = string:lexemes(read([]), "\n"),
    Folders = lists:usort([filename:dirname(Path) || Path <- Paths]),
    Includes = Folders ++ lists:usort([filename:dirname(Folder) || Folder <- Folders]),
    [file(Path, Includes) || Path <- Paths, filename:extension(Path) =:= ".erl"].

read(Read) ->
    case io:get_line("") of
        eof -> lists:append(lists:reverse(Read));
        Line -> read([Line | Read])
    end.

file(Path, Includes) ->
    case epp:parse_file(Path, [{includes, [filename:dirname(Path) | Includes]}]) of
        {ok, Forms} ->
            case [Module || {attribute, _, module, Module} <- Forms] of
                [Module | _] -> forms(Forms, Path, Module, imports(Forms), Path);
                [] -> ok
            end;
        _ ->
            ok
    end.

imports(Forms) ->
    maps:from_list([{Fun, From} || {attribute, _, import, {From, Funs}} <- Forms, Fun <- Funs]).

forms([], _, _, _, _) ->
    ok;
forms([{attribute, _, file, {File, _}} | Forms], Path, Module, Imports, _) ->
    forms(Forms, Path, Module, Imports, File);
forms([{error, _} | Forms], Path, Module, Imports, File) ->
    forms(Forms, Path, Module, Imports, File);
forms([Form | Forms], Path, Module, Imports, File) ->
    Lines = lines(Form),
    File =:= Path andalso Lines =/= [] andalso
        io:format("judged\t~ts\t~w\t~w~n", [Path, lists:min(Lines), lists:max(Lines)]),
    form(Form, Path, Module, Imports, File),
    forms(Forms, Path, Module, Imports, File).

form({attribute, Anno, module, Name}, Path, Module, _, Path) ->
    put("definition", module, Name, 0, Module, Path, Anno);
form({function, Anno, Name, Arity, Clauses}, Path, Module, Imports, File) ->
    put("definition", call, Name, Arity, Module, File, Anno),
    File =:= Path andalso walk(Clauses, {Path, Module, Imports});
form({attribute, Anno, record, {Name, Fields}}, Path, Module, Imports, File) ->
    put("definition", record, Name, 0, Module, File, Anno),
    [put("definition", field, Field, 0, [atom_to_list(Module), ".", atom_to_list(Name)], File, At)
     || {Field, At} <- fields(Fields)],
    File =:= Path andalso walk(Fields, {Path, Module, Imports});
form({attribute, Anno, Kind, {Name, Type, Arguments}}, Path, Module, Imports, File) when Kind =:= type; Kind =:= opaque ->
    put("definition", type, Name, length(Arguments), Module, File, Anno),
    File =:= Path andalso walk(Type, {Path, Module, Imports});
form({attribute, Anno, spec, {Named, Types}}, Path, Module, Imports, Path) ->
    {Name, Arity} = case Named of {_, N, A} -> {N, A}; _ -> Named end,
    put("use", call, Name, Arity, Module, Path, Anno),
    walk(Types, {Path, Module, Imports});
form({attribute, _, callback, {_, Types}}, Path, Module, Imports, Path) ->
    walk(Types, {Path, Module, Imports});
form({attribute, Anno, Kind, Name}, Path, _, _, Path) when Kind =:= behaviour; Kind =:= behavior ->
    put("use", module, Name, 0, Name, Path, Anno);
form({attribute, Anno, export, Funs}, Path, Module, _, Path) ->
    [put("use", call, Name, Arity, Module, Path, Anno) || {Name, Arity} <- Funs];
form({attribute, Anno, import, {From, _}}, Path, _, _, Path) ->
    put("use", module, From, 0, From, Path, Anno);
form(_, _, _, _, _) ->
    ok.

walk({call, _, {remote, _, {atom, Anno, From}, {atom, At, Name}}, Arguments}, State) ->
    use(module, From, 0, From, Anno, State),
    use(call, Name, length(Arguments), From, At, State),
    walk(Arguments, State);
walk({call, _, {atom, Anno, Name}, Arguments}, {_, Module, Imports} = State) ->
    use(call, Name, length(Arguments), maps:get({Name, length(Arguments)}, Imports, Module), Anno, State),
    walk(Arguments, State);
walk({'fun', Anno, {function, {atom, _, From}, {atom, _, Name}, {integer, _, Arity}}}, State) ->
    use(module, From, 0, From, Anno, State),
    use(call, Name, Arity, From, Anno, State);
walk({'fun', Anno, {function, Name, Arity}}, {_, Module, Imports} = State) ->
    use(call, Name, Arity, maps:get({Name, Arity}, Imports, Module), Anno, State);
walk({record, Anno, Name, Fields}, {_, Module, _} = State) ->
    use(record, Name, 0, Module, Anno, State),
    use_fields(Name, Fields, State),
    walk(Fields, State);
walk({record, Anno, Of, Name, Fields}, {_, Module, _} = State) ->
    use(record, Name, 0, Module, Anno, State),
    use_fields(Name, Fields, State),
    walk(Of, State),
    walk(Fields, State);
walk({record_field, Anno, Of, Name, {atom, At, Field}}, {_, Module, _} = State) ->
    use(record, Name, 0, Module, Anno, State),
    use_fields(Name, [{record_field, At, {atom, At, Field}}], State),
    walk(Of, State);
walk({type, Anno, record, [{atom, _, Name} | Fields]}, {_, Module, _} = State) ->
    use(record, Name, 0, Module, Anno, State),
    walk(Fields, State);
walk({user_type, Anno, Name, Arguments}, {_, Module, _} = State) ->
    use(type, Name, length(Arguments), Module, Anno, State),
    walk(Arguments, State);
walk({remote_type, _, [{atom, Anno, From}, {atom, At, Name}, Arguments]}, State) ->
    use(module, From, 0, From, Anno, State),
    use(type, Name, length(Arguments), From, At, State),
    walk(Arguments, State);
walk(Node, State) when is_tuple(Node) ->
    walk(tuple_to_list(Node), State);
walk([First | Rest], State) ->
    walk(First, State),
    walk(Rest, State);
walk(_, _) ->
    ok.

lines({Kind, Anno, _}) when is_atom(Kind), is_integer(Anno) -> [Anno];
lines({Kind, Anno}) when is_atom(Kind), is_integer(Anno) -> [Anno];
lines(Node) when is_tuple(Node), tuple_size(Node) > 1, is_atom(element(1, Node)), is_integer(element(2, Node)) ->
    [element(2, Node) | lines(tl(tl(tuple_to_list(Node))))];
lines(Node) when is_tuple(Node) -> lines(tuple_to_list(Node));
lines([First | Rest]) -> lines(First) ++ lines(Rest);
lines(_) -> [].

fields(Fields) ->
    lists:append([
        case Field of
            {typed_record_field, Inner, _} -> fields([Inner]);
            {record_field, _, {atom, At, Name}} -> [{Name, At}];
            {record_field, _, {atom, At, Name}, _} -> [{Name, At}];
            _ -> []
        end
     || Field <- Fields
    ]).

use_fields(Record, Fields, {_, Module, _} = State) ->
    [use(field, Field, 0, [atom_to_list(Module), ".", atom_to_list(Record)], At, State) || {Field, At} <- fields(Fields)].

use(Kind, Name, Arity, From, Anno, {Path, _, _}) ->
    put("use", Kind, Name, Arity, From, Path, Anno).

put(What, Kind, Name, Arity, Module, Path, Anno) ->
    io:format("~s\t~s\t~ts\t~w\t~ts\t~ts\t~w~n", [What, Kind, Name, Arity, Module, Path, erl_anno:line(Anno)]).
