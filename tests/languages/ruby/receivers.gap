What a hook of a module adds to the class that includes it, blocks that are handed the object, objects of `new` without a class.
=== main.rb
module Lending
  def self.included(base)
    base.extend(ClassMethods)
  end
  module ClassMethods
    def lends(*names) = names
  end
end
class Shelf
  include Lending
  lends :books                                       #@ call -> ClassMethods.lends
  def self.build(...)
    new(...).tap { |shelf| shelf.top }               #@ call -> Shelf.top
  end
  def top; end
end
Shelf.build.top                                      #@ call -> Shelf.top
