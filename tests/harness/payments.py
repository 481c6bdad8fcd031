"""One small program about payments in many languages: an interface, a base class, classes that override, overloads,
constructors that call each other, calls through the base, and a test that reaches them through it alone.

Each definition has a name after `@` in a comment on its line. The expected answers name them; they follow from the
rules of the languages.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Program(NamedTuple):
    """The sources of one language, and what follows from its rules: the callers of a definition, what implements or
    overrides it, and the test files that a change of the file of `Stripe` affects.
    """

    files: dict[str, str]
    callers: dict[str, str]
    implementations: dict[str, str]
    changed: str
    tests: str


KOTLIN: Final = Program(
    {
        "build.gradle.kts": 'plugins { kotlin("jvm") version "2.0.0" }\n',
        "src/main/kotlin/pay/Gateway.kt": """package pay

interface Gateway { // @Gateway
    fun charge(amount: Int): Int // @Gateway.charge
    fun refund(amount: Int): Int = charge(-amount) // @Gateway.refund
}

abstract class Base(val key: String) : Gateway { // @Base
    open fun describe(): String = "base" // @Base.describe
}
""",
        "src/main/kotlin/pay/Stripe.kt": """package pay

class Stripe(key: String) : Base(key) { // @Stripe
    constructor(key: String, retries: Int) : this(key + retries) // @Stripe.new
    override fun charge(amount: Int): Int = fee(amount) // @Stripe.charge
    fun charge(amount: Int, times: Int): Int = charge(amount) * times // @Stripe.many
    override fun describe(): String = super.describe() + "stripe" // @Stripe.describe
}

object Free : Gateway { // @Free
    override fun charge(amount: Int): Int = 0 // @Free.charge
}

class Logged(private val inner: Gateway) : Gateway by inner // @Logged

fun fee(amount: Int) = amount * 2 // @fee
""",
        "src/main/kotlin/pay/Checkout.kt": """package pay

fun checkout(gateway: Gateway, amount: Int) = gateway.charge(amount) // @checkout
fun named(base: Base) = base.describe() // @named
fun make(): Gateway = Stripe("key", 3) // @make
""",
        "src/test/kotlin/pay/CheckoutTest.kt": """package pay

import kotlin.test.Test
import kotlin.test.assertEquals

class CheckoutTest {
    @Test
    fun checks() { // @checks
        assertEquals(2, checkout(make(), 1))
    }
}
""",
    },
    {
        "Stripe.charge": "Gateway.refund Stripe.many checkout",
        "Free.charge": "Gateway.refund checkout",
        "Gateway.charge": "Gateway.refund checkout",
        "Stripe.many": "",
        "Stripe.describe": "named",
        "Base.describe": "Stripe.describe named",
        "Stripe.new": "make",
        "fee": "Stripe.charge",
    },
    {"Gateway.charge": "Stripe.charge Free.charge", "Base.describe": "Stripe.describe", "Gateway": "Base Free Logged"},
    "src/main/kotlin/pay/Stripe.kt",
    "src/test/kotlin/pay/CheckoutTest.kt",
)

SWIFT: Final = Program(
    {
        "Package.swift": '// swift-tools-version:5.9\nimport PackageDescription\n\nlet package = Package(name: "Pay", targets: [.target(name: "Pay"), .testTarget(name: "PayTests", dependencies: ["Pay"])])\n',
        "Sources/Pay/Gateway.swift": """protocol Gateway { // @Gateway
    func charge(_ amount: Int) -> Int // @Gateway.charge
}

extension Gateway {
    func refund(_ amount: Int) -> Int { return charge(-amount) } // @Gateway.refund
}

class Base: Gateway { // @Base
    let key: String

    init(key: String) { self.key = key } // @Base.new
    convenience init() { self.init(key: "none") } // @Base.plain
    func charge(_ amount: Int) -> Int { return amount } // @Base.charge
    func describe() -> String { return "base" } // @Base.describe
}
""",
        "Sources/Pay/Stripe.swift": """class Stripe: Base { // @Stripe
    override init(key: String) { super.init(key: key) } // @Stripe.new
    override func charge(_ amount: Int) -> Int { return fee(amount) } // @Stripe.charge
    func charge(_ amount: Int, times: Int) -> Int { return charge(amount) * times } // @Stripe.many
    override func describe() -> String { return super.describe() } // @Stripe.describe
}

struct Free: Gateway { // @Free
    func charge(_ amount: Int) -> Int { return 0 } // @Free.charge
}

func fee(_ amount: Int) -> Int { return amount * 2 } // @fee
""",
        "Sources/Pay/Checkout.swift": """func checkout(_ gateway: Gateway, _ amount: Int) -> Int { return gateway.charge(amount) } // @checkout
func named(_ base: Base) -> String { return base.describe() } // @named
func make() -> Gateway { return Stripe(key: "key") } // @make
""",
        "Tests/PayTests/CheckoutTests.swift": """import XCTest
@testable import Pay

final class CheckoutTests: XCTestCase {
    func testCheckout() { // @testCheckout
        XCTAssertEqual(checkout(make(), 1), 2)
    }
}
""",
    },
    {
        "Stripe.charge": "Gateway.refund Stripe.many checkout",
        "Free.charge": "Gateway.refund checkout",
        "Base.charge": "Gateway.refund checkout",
        "Stripe.many": "",
        "Stripe.describe": "named",
        "Base.describe": "Stripe.describe named",
        "Stripe.new": "make",
        "Base.new": "Base.plain Stripe.new",
        "fee": "Stripe.charge",
    },
    {
        "Gateway.charge": "Base.charge Stripe.charge Free.charge",
        "Base.describe": "Stripe.describe",
        "Gateway": "Base Free",
    },
    "Sources/Pay/Stripe.swift",
    "Tests/PayTests/CheckoutTests.swift",
)

SCALA: Final = Program(
    {
        "build.sbt": 'scalaVersion := "3.4.0"\n',
        "src/main/scala/pay/Gateway.scala": """package pay

trait Gateway { // @Gateway
  def charge(amount: Int): Int // @Gateway.charge
  def refund(amount: Int): Int = charge(-amount) // @Gateway.refund
}

abstract class Base(val key: String) extends Gateway { // @Base
  def describe: String = "base" // @Base.describe
}
""",
        "src/main/scala/pay/Stripe.scala": """package pay

class Stripe(key: String) extends Base(key) { // @Stripe
  def this(key: String, retries: Int) = this(key + retries) // @Stripe.new
  override def charge(amount: Int): Int = Fees.fee(amount) // @Stripe.charge
  def charge(amount: Int, times: Int): Int = charge(amount) * times // @Stripe.many
  override def describe: String = super.describe + "stripe" // @Stripe.describe
}

object Free extends Gateway { // @Free
  def charge(amount: Int): Int = 0 // @Free.charge
}

object Fees {
  def fee(amount: Int): Int = amount * 2 // @fee
}
""",
        "src/main/scala/pay/Checkout.scala": """package pay

object Checkout {
  def checkout(gateway: Gateway, amount: Int): Int = gateway.charge(amount) // @checkout
  def named(base: Base): String = base.describe // @named
  def make(): Gateway = new Stripe("key", 3) // @make
}
""",
        "src/test/scala/pay/CheckoutSuite.scala": """package pay

class CheckoutSuite extends munit.FunSuite {
  test("checks") {
    assertEquals(Checkout.checkout(Checkout.make(), 1), 2)
  }
}
""",
    },
    {
        "Stripe.charge": "Gateway.refund Stripe.many checkout",
        "Free.charge": "Gateway.refund checkout",
        "Gateway.charge": "Gateway.refund checkout",
        "Stripe.describe": "named",
        "Base.describe": "Stripe.describe named",
        "Stripe.new": "make",
        "fee": "Stripe.charge",
    },
    {"Gateway.charge": "Stripe.charge Free.charge", "Base.describe": "Stripe.describe", "Gateway": "Base Free"},
    "src/main/scala/pay/Stripe.scala",
    "src/test/scala/pay/CheckoutSuite.scala",
)

PHP: Final = Program(
    {
        "composer.json": '{"name": "shop/pay", "autoload": {"psr-4": {"Pay\\\\\\\\": "src/"}, "files": ["src/functions.php"]}}\n',
        "src/Gateway.php": """<?php
namespace Pay;

interface Gateway // @Gateway
{
    public function charge(int $amount): int; // @Gateway.charge
}
""",
        "src/Refunds.php": """<?php
namespace Pay;

trait Refunds
{
    public function refund(int $amount): int { return $this->charge(-$amount); } // @Refunds.refund
}
""",
        "src/Base.php": """<?php
namespace Pay;

abstract class Base implements Gateway // @Base
{
    use Refunds;

    public function __construct(protected string $key) {} // @Base.new

    public function describe(): string { return "base"; } // @Base.describe

    public function run(int $amount): int { return $this->charge($amount); } // @Base.run

    public static function create(): static { return new static("key"); } // @Base.create
}
""",
        "src/Stripe.php": """<?php
namespace Pay;

class Stripe extends Base // @Stripe
{
    public function __construct(string $key, int $retries = 3) { parent::__construct($key); } // @Stripe.new

    public function charge(int $amount): int { return fee($amount); } // @Stripe.charge

    public function describe(): string { return parent::describe(); } // @Stripe.describe
}
""",
        "src/Free.php": """<?php
namespace Pay;

class Free implements Gateway // @Free
{
    public function charge(int $amount): int { return 0; } // @Free.charge
}
""",
        "src/functions.php": """<?php
namespace Pay;

function fee(int $amount): int { return $amount * 2; } // @fee
function checkout(Gateway $gateway, int $amount): int { return $gateway->charge($amount); } // @checkout
function named(Base $base): string { return $base->describe(); } // @named
function make(): Gateway { return new Stripe("key"); } // @make
""",
        "tests/CheckoutTest.php": """<?php
namespace Pay\\Tests;

use PHPUnit\\Framework\\TestCase;
use function Pay\\checkout;
use function Pay\\make;

class CheckoutTest extends TestCase
{
    public function testCheckout(): void { // @testCheckout
        $this->assertSame(2, checkout(make(), 1));
    }
}
""",
    },
    {
        "Stripe.charge": "Refunds.refund Base.run checkout",
        "Free.charge": "checkout",
        "Gateway.charge": "Refunds.refund Base.run checkout",
        "Stripe.describe": "named",
        "Base.describe": "Stripe.describe named",
        "Stripe.new": "make Base.create",
        "Base.new": "Stripe.new Base.create",
        "fee": "Stripe.charge",
    },
    {"Gateway.charge": "Stripe.charge Free.charge", "Base.describe": "Stripe.describe", "Gateway": "Base Free"},
    "src/Stripe.php",
    "tests/CheckoutTest.php",
)

RUBY: Final = Program(
    {
        "Gemfile": 'source "https://rubygems.org"\n',
        "lib/pay/base.rb": """module Pay
  module Refunds
    def refund(amount) # @Refunds.refund
      charge(-amount)
    end
  end

  class Base # @Base
    include Refunds

    def initialize(key) # @Base.new
      @key = key
    end

    def charge(amount) # @Base.charge
      raise NotImplementedError
    end

    def describe # @Base.describe
      "base"
    end

    def run(amount) # @Base.run
      charge(amount) + describe.size
    end
  end
end
""",
        "lib/pay/stripe.rb": """require_relative "base"
require_relative "fees"

module Pay
  class Stripe < Base # @Stripe
    def initialize(key, retries = 3) # @Stripe.new
      super(key)
    end

    def charge(amount) # @Stripe.charge
      Fees.fee(amount)
    end

    def describe # @Stripe.describe
      super + "stripe"
    end
  end
end
""",
        "lib/pay/fees.rb": """module Pay
  module Fees
    def self.fee(amount) # @fee
      amount * 2
    end
  end
end
""",
        "lib/pay/checkout.rb": """require_relative "stripe"

module Pay
  module Checkout
    def self.make # @make
      Stripe.new("key")
    end

    def self.run_it # @run_it
      make.run(1)
    end
  end
end
""",
        "test/checkout_test.rb": """require "minitest/autorun"
require_relative "../lib/pay/checkout"

class CheckoutTest < Minitest::Test
  def test_checkout # @test_checkout
    assert_equal 8, Pay::Checkout.run_it
  end
end
""",
    },
    {
        "Stripe.charge": "Refunds.refund Base.run",
        "Base.charge": "Refunds.refund Base.run",
        "Base.run": "run_it",
        "Stripe.describe": "Base.run",
        "Base.describe": "Stripe.describe Base.run",
        "Stripe.new": "make",
        "Base.new": "Stripe.new",
        "fee": "Stripe.charge",
    },
    {"Base.charge": "Stripe.charge", "Base.describe": "Stripe.describe", "Base": "Stripe"},
    "lib/pay/stripe.rb",
    "test/checkout_test.rb",
)

CPP: Final = Program(
    {
        "CMakeLists.txt": "project(pay CXX)\n",
        "include/gateway.h": """#pragma once
struct Gateway { // @Gateway
    virtual ~Gateway() = default;
    virtual int charge(int amount) = 0; // @Gateway.charge
    int refund(int amount) { return charge(-amount); } // @Gateway.refund
};

class Base : public Gateway { // @Base
public:
    explicit Base(const char* key) : key_(key) {} // @Base.new
    virtual const char* describe() const { return key_; } // @Base.describe
private:
    const char* key_;
};
""",
        "include/stripe.h": """#pragma once
#include "gateway.h"

class Stripe : public Base { // @Stripe
public:
    Stripe(const char* key, int retries);
    int charge(int amount) override;
    int charge(int amount, int times);
    const char* describe() const override;
};

class Free final : public Gateway { // @Free
public:
    int charge(int amount) override { return 0; } // @Free.charge
};

int fee(int amount);
""",
        "src/stripe.cpp": """#include "stripe.h"

Stripe::Stripe(const char* key, int retries) : Base(key) {} // @Stripe.new
int Stripe::charge(int amount) { return fee(amount); } // @Stripe.charge
int Stripe::charge(int amount, int times) { return charge(amount) * times; } // @Stripe.many
const char* Stripe::describe() const { return Base::describe(); } // @Stripe.describe
int fee(int amount) { return amount * 2; } // @fee
""",
        "include/checkout.h": """#pragma once
#include "gateway.h"

int checkout(Gateway& gateway, int amount);
Gateway* make();
""",
        "src/checkout.cpp": """#include "checkout.h"
#include "stripe.h"
#include <memory>

int checkout(Gateway& gateway, int amount) { return gateway.charge(amount); } // @checkout
const char* named(const Base& base) { return base.describe(); } // @named
Gateway* make() { return new Stripe("key", 3); } // @make
int local() { // @local
    Stripe stripe("key", 1);
    return stripe.charge(1, 2);
}
std::unique_ptr<Gateway> owned() { return std::make_unique<Stripe>("key", 2); } // @owned
""",
        "tests/checkout_test.cpp": """#include <gtest/gtest.h>
#include "checkout.h"

TEST(Checkout, Charges) {
    EXPECT_EQ(checkout(*make(), 1), 2);
}
""",
    },
    {
        "Stripe.charge": "Gateway.refund Stripe.many checkout",
        "Free.charge": "Gateway.refund checkout",
        "Gateway.charge": "Gateway.refund checkout",
        "Stripe.many": "local",
        "Stripe.describe": "named",
        "Base.describe": "Stripe.describe named",
        "Stripe.new": "make local owned",
        "Base.new": "Stripe.new",
        "fee": "Stripe.charge",
    },
    {"Gateway.charge": "Stripe.charge Free.charge", "Base.describe": "Stripe.describe", "Gateway": "Base Free"},
    "src/stripe.cpp",
    "tests/checkout_test.cpp",
)

JAVASCRIPT: Final = Program(
    {
        "package.json": '{"name": "pay", "version": "1.0.0", "type": "module"}\n',
        "src/base.js": """export class Base { // @Base
  constructor(key) { // @Base.new
    this.key = key;
  }

  charge(amount) { // @Base.charge
    throw new Error("abstract");
  }

  refund(amount) { // @Base.refund
    return this.charge(-amount);
  }

  get title() { // @Base.title
    return "base";
  }

  describe() { // @Base.describe
    return this.title;
  }
}
""",
        "src/stripe.js": """import { Base } from "./base.js";
import { fee } from "./fees.js";

export class Stripe extends Base { // @Stripe
  constructor(key, retries) { // @Stripe.new
    super(key);
  }

  charge(amount) { // @Stripe.charge
    return fee(amount);
  }

  describe() { // @Stripe.describe
    return super.describe();
  }
}
""",
        "src/fees.js": "export function fee(amount) { // @fee\n  return amount * 2;\n}\n",
        "src/checkout.js": """import { Stripe } from "./stripe.js";

export function make() { // @make
  return new Stripe("key", 3);
}

export function checkout(amount) { // @checkout
  return make().refund(amount);
}
""",
        "test/checkout.test.js": """import { checkout } from "../src/checkout.js";

test("checks", () => {
  expect(checkout(1)).toBe(-2);
});
""",
    },
    {
        "Stripe.charge": "Base.refund",
        "Base.charge": "Base.refund",
        "Base.refund": "checkout",
        "Stripe.describe": "",
        "Base.describe": "Stripe.describe",
        "Stripe.new": "make",
        "Base.new": "Stripe.new",
        "fee": "Stripe.charge",
    },
    {"Base.charge": "Stripe.charge", "Base.describe": "Stripe.describe", "Base": "Stripe"},
    "src/stripe.js",
    "test/checkout.test.js",
)

LUA: Final = Program(
    {
        "pay/base.lua": """local Base = {} -- @Base
Base.__index = Base

function Base.new(key) -- @Base.new
  return setmetatable({ key = key }, Base)
end

function Base:charge(amount) -- @Base.charge
  return amount
end

function Base:refund(amount) -- @Base.refund
  return self:charge(-amount)
end

return Base
""",
        "pay/stripe.lua": """local Base = require("pay.base")

local Stripe = setmetatable({}, { __index = Base }) -- @Stripe
Stripe.__index = Stripe

local function fee(amount) -- @fee
  return amount * 2
end

function Stripe.new(key) -- @Stripe.new
  return setmetatable(Base.new(key), Stripe)
end

function Stripe:charge(amount) -- @Stripe.charge
  return fee(amount)
end

return Stripe
""",
        "pay/checkout.lua": """local Stripe = require("pay.stripe")

local checkout = {}

function checkout.run(amount) -- @run
  return Stripe.new("key"):refund(amount)
end

return checkout
""",
        "spec/checkout_spec.lua": """local checkout = require("pay.checkout")

describe("checkout", function()
  it("runs", function()
    assert.equals(-2, checkout.run(1))
  end)
end)
""",
    },
    {
        "Stripe.charge": "Base.refund",
        "Base.charge": "Base.refund",
        "Base.refund": "run",
        "Stripe.new": "run",
        "Base.new": "Stripe.new",
        "fee": "Stripe.charge",
    },
    {"Base.charge": "Stripe.charge"},
    "pay/stripe.lua",
    "spec/checkout_spec.lua",
)

PROGRAMS: Final = {
    "kotlin": KOTLIN, "swift": SWIFT, "scala": SCALA, "php": PHP, "ruby": RUBY, "cpp": CPP, "javascript": JAVASCRIPT,
    "lua": LUA,
}  # fmt: skip
