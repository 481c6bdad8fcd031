Blocks that are handed the object, objects of `new` without a class.
=== main.rb
class Shelf
  def self.build(...)
    new(...).tap { |shelf| shelf.top }               #@ call -> Shelf.top
  end
  def top; end
end
