Functions that macros make from data, keys of struct literals, and modules as values are not followed.
=== lib/shelf.ex
defmodule Shop.Shelf do
  require Record
  defstruct [:owner]
  Record.defrecord(:row, title: nil)
  for name <- [:open, :close] do
    def unquote(name)(x), do: x
  end
  def lend(x), do: open(row(x))          #@ def function Shelf.open ; call -> Shelf.row
  def own(x), do: %Shop.Shelf{owner: x}  #@ read -> Shelf.owner
  def run(x) do
    adapter = Shop.Shelf
    adapter.lend(x)                      #@ call -> Shelf.lend
  end
end
