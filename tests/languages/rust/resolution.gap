What needs more of types or of macros: variables made of fields in patterns, tuples; types that a re-export or another crate stands before; what macros write.
=== Cargo.toml
[package]
name = "shop"
=== src/lib.rs
mod deep;
mod lending;
pub use deep::Shelf;
pub struct Book { pub title: u32, pub pages: Pages }
pub struct Pages;
impl Pages { fn turn(&self) {} }
impl Book { pub fn lend(&self) {} }
pub trait Lend { fn give(&self); }
fn patterns(Book { pages: p }: Book) { p.turn(); }  //@ call -> Pages::turn
fn tuples() { let (b, n) = (Book { title: 1, pages: Pages }, 2); b.lend(); }  //@ call -> Book::lend
fn qualified(s: Shelf) { <Shelf as Lend>::give(&s); }  //@ call -> Shelf::give
fn unproved(s: Shelf) { s.wide(); }                 //@ call -> Shelf::wide exact
macro_rules! make { ($n:ident) => { fn $n() {} }; }
make!(made);
fn uses() { made(); }                               //@ call -> shop::made
=== src/deep.rs
pub struct Shelf;
=== src/lending.rs
use crate::Shelf;
impl Shelf { pub fn wide(&self) {} }                //@ def method deep::Shelf::wide
impl crate::Lend for Shelf { fn give(&self) {} }    //@ implement -> shop::Lend from deep::Shelf
