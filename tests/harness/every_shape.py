"""A small repository of many languages with every shape by which code is reached without being named: overriding,
interfaces, structural subtyping, construction, partial types, overloads, routes, native functions, scripts, fixtures.
"""

from __future__ import annotations

from typing import Final

PYTHON: Final = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "shop/__init__.py": "from .pricing import total as grand_total\n",
    "shop/base.py": """from abc import ABC, abstractmethod
from typing import Protocol


class Gateway(ABC):
    def __init__(self, key):
        self.key = key

    @abstractmethod
    def charge(self, amount): ...

    def refund(self, amount):
        return self.charge(-amount)


class Closing(Protocol):
    def close(self) -> None: ...


def end(thing: Closing) -> None:
    thing.close()
""",
    "shop/stripe.py": """from .base import Gateway
from .pricing import fee


class Stripe(Gateway):
    def __init__(self, key, retries=3):
        super().__init__(key)
        self.retries = retries

    def charge(self, amount):
        return fee(amount)


class SlowStripe(Stripe):
    def charge(self, amount):
        return super().charge(amount)

    def close(self) -> None:
        pass
""",
    "shop/pricing.py": """def fee(amount):
    return amount * 2


def total(amounts):
    return sum(map(fee, amounts)) or count_down(3)


def count_down(number):
    return number and count_down(number - 1)
""",
    "shop/checkout.py": """from .base import Gateway
from .stripe import Stripe


def checkout(gateway: Gateway, amount):
    return gateway.charge(amount)


def make():
    return Stripe("key")


def guess(thing):
    return thing.charge(1)
""",
    "shop/api.py": """from flask import Flask

from shop import grand_total

app = Flask(__name__)


@app.route("/api/orders/<int:order_id>")
def get_order(order_id):
    return str(grand_total([order_id]))
""",
    "shop/native.py": """import ctypes

library = ctypes.CDLL("libfast.so")


def fast_total(values):
    return library.fast_sum(values, len(values))
""",
    "shop/jobs.py": """import subprocess


def report(path):
    subprocess.run(["python", "scripts/report.py", path], check=True)
""",
    "scripts/report.py": 'from shop.pricing import total\n\n\ndef main():\n    print(total([1]))\n\n\nif __name__ == "__main__":\n    main()\n',
    "tests/conftest.py": "import pytest\n\nfrom shop.checkout import make\n\n\n@pytest.fixture\ndef gateway():\n    return make()\n",
    "tests/test_checkout.py": """from shop.checkout import checkout


def test_checkout(gateway):
    assert checkout(gateway, 2) == 4
""",
}

WEB: Final = {
    "web/package.json": '{"name": "shop-web", "version": "1.0.0"}\n',
    "web/src/store.ts": """export interface Repository<T> {
  find(id: number): T;
  save(value: T): void;
}

export abstract class MemoryRepository<T> implements Repository<T> {
  protected values = new Map<number, T>();

  constructor(protected name: string) {}

  abstract keyOf(value: T): number;

  find(id: number): T {
    return this.values.get(id)!;
  }

  save(value: T): void {
    this.values.set(this.keyOf(value), value);
  }
}

export class OrderRepository extends MemoryRepository<Order> {
  constructor() {
    super("orders");
  }

  keyOf(value: Order): number {
    return value.id;
  }

  override save(value: Order): void {
    super.save(value);
  }
}

export type Order = { id: number };

export function parse(text: string): Order;
export function parse(text: string, strict: boolean): Order;
export function parse(text: string, strict = false): Order {
  return JSON.parse(text) as Order;
}
""",
    "web/src/client.ts": """import { OrderRepository, parse, type Order, type Repository } from "./store";

export async function loadOrder(id: number): Promise<Order> {
  const answer = await fetch(`/api/orders/${id}`);
  return parse(await answer.text());
}

export function keep(repository: Repository<Order>, order: Order): void {
  repository.save(order);
}

export function begin(): void {
  keep(new OrderRepository(), { id: 1 });
}
""",
    "web/src/client.test.ts": """import { begin, loadOrder } from "./client";
import { it, expect } from "vitest";

it("loads", async () => {
  begin();
  expect(await loadOrder(1)).toBeTruthy();
});
""",
}

CSHARP: Final = {
    "cs/Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
    "cs/IAuth.cs": "namespace Shop.Auth;\n\npublic interface IAuth\n{\n    bool Authenticate(string user, string password);\n}\n",
    "cs/AuthService.cs": """namespace Shop.Auth
{
    public partial class AuthService : IAuth
    {
        public AuthService(int tries) { }

        public bool Authenticate(string user, string password)
        {
            return Check(user);
        }

        public bool Authenticate(string token) { return Authenticate(token, ""); }

        public virtual int Tries => 3;
    }
}
""",
    "cs/AuthService.Checks.cs": """namespace Shop.Auth
{
    public partial class AuthService
    {
        private bool Check(string user) => user.Length > 0;
    }

    public sealed class StrictAuthService : AuthService
    {
        public StrictAuthService() : base(1) { }

        public override int Tries => 1;
    }
}
""",
    "cs/Login.cs": """using Shop.Auth;

namespace Shop.Login;

public class LoginController
{
    private readonly IAuth auth;

    public LoginController(IAuth auth) { this.auth = auth; }

    public bool HandleLogin(string name) { return auth.Authenticate(name, ""); }

    public bool Quick(AuthService service) => service.Tries > 0 && service.Authenticate("t");

    public static LoginController Start() => new LoginController(new AuthService(2));
}
""",
}

JAVA: Final = {
    "java/src/main/java/com/acme/Shape.java": "package com.acme;\n\npublic interface Shape {\n    double area();\n}\n",
    "java/src/main/java/com/acme/Circle.java": """package com.acme;

public class Circle implements Shape {
    private final double radius;

    public Circle(double radius) { this.radius = radius; }

    public Circle() { this(1); }

    @Override
    public double area() { return 3 * radius * radius; }

    public double area(double scale) { return area() * scale; }
}
""",
    "java/src/main/java/com/acme/Main.java": """package com.acme;

import java.util.List;

public class Main {
    static double sum(List<Shape> shapes) {
        double sum = 0;
        for (Shape shape : shapes) sum += shape.area();
        return sum;
    }

    public static void main(String[] args) {
        Circle circle = new Circle(2);
        System.out.println(sum(List.of(circle, new Circle())) + circle.area(3));
    }
}
""",
}

OTHERS: Final = {
    "go/go.mod": "module example.com/shop\n\ngo 1.22\n",
    "go/store/store.go": """package store

// Store keeps values.
type Store interface {
	Get(key string) string
	Put(key, value string)
}

// Memory is a Store in memory.
type Memory struct {
	values map[string]string
}

func NewMemory() *Memory { return &Memory{} }

func (m *Memory) Get(key string) string { return m.values[key] }

func (m *Memory) Put(key, value string) { m.values[key] = value }

func Copy(s Store) { s.Put("b", s.Get("a")) }
""",
    "go/store/store_test.go": 'package store\n\nimport "testing"\n\nfunc TestCopy(t *testing.T) {\n\tCopy(NewMemory())\n}\n',
    "rust/Cargo.toml": '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n',
    "rust/src/lib.rs": """pub trait Shape {
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { 2.0 * self.area() }
}

pub struct Square { pub side: f64 }

impl Square {
    pub fn new(side: f64) -> Self { Square { side } }
}

impl Shape for Square {
    fn area(&self) -> f64 { self.side * self.side }
}

pub fn sum(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        assert_eq!(sum(&[Box::new(Square::new(2.0))]), 4.0);
    }
}
""",
    "native/fast.h": """#pragma once
class Adder {
public:
    virtual double add(double a, double b) const;
    double add(double a, double b, double c) const;
};
class SlowAdder : public Adder {
public:
    double add(double a, double b) const override;
};
extern "C" double fast_sum(const double* values, int count);
""",
    "native/fast.cpp": """#include "fast.h"

double Adder::add(double a, double b) const { return a + b; }
double Adder::add(double a, double b, double c) const { return add(add(a, b), c); }
double SlowAdder::add(double a, double b) const { return b + a; }

extern "C" double fast_sum(const double* values, int count) {
    Adder adder;
    double sum = 0;
    for (int i = 0; i < count; ++i) sum = adder.add(sum, values[i]);
    return sum;
}
""",
}

FILES: Final = PYTHON | WEB | CSHARP | JAVA | OTHERS
