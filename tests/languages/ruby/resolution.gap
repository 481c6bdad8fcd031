Receivers whose class has to be inferred: a local variable, what a method returns, `self.class`; a call in a module of what its users have.
=== main.rb
class Book; def open; end; end
class Shelf
  def self.make; new; end
  def initialize; @top = Book.new; end
  def top = Book.new
  def work
    made = Shelf.new
    made.work                                  #@ call -> Shelf.work exact
    @top.open                                  #@ call -> Book.open exact
    top.open                                   #@ call -> Book.open exact
    self.class.make                            #@ call -> Shelf.make exact
  end
end
