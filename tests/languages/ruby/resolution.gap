Modules that come before the type that prepends them; classes without a name; what the users of a module have; values of blocks and of variables with a sigil outside of types.
=== main.rb
class Base
  def greet; end
end
module Loud
  def greet; end
  def shout
    named                                      #@ call -> Shelf.named
  end
end
class Shelf < Base
  prepend Loud
  def greet
    super                                      #@ call -> Base.greet super
  end
  def named; end
  def work
    Shelf.new.tap { |shelf| shelf.named }.named    #@ call -> Shelf.named
    Class.new(Shelf) do
      def greet
        named                                  #@ call -> Shelf.named inferred
        super                                  #@ call -> Shelf.greet super
      end
    end
  end
end
describe Shelf do
  before { @shelf = Shelf.new }
  it { @shelf.named }                          #@ call -> Shelf.named
end
