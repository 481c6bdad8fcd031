`self.class`; a call in a module of what its users have.
=== main.rb
class Shelf
  def self.make; new; end
  def work
    self.class.make                            #@ call -> Shelf.make exact
  end
end
