`class A::B` opens A::B alone: the constants of A are not seen in it (ISO/IEC 30170, 11.5.4.2); the index knows one symbol for all of its places.
=== a.rb
module Stock
  class Base; end
  class Rack; end
end
class Stock::Rack
  def more = Base                              #@ none Base
end
