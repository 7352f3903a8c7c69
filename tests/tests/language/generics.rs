//! Generics, const generics, associated items, operator traits.

use crate::harness::{edgy, same};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Not, Sub};

/// An algebra with associated constants and types, default and provided methods.
trait Ring: Copy + Add<Output = Self> + Mul<Output = Self> + PartialEq {
    const ZERO: Self;
    const ONE: Self;
    const BITS: u32 = 8 * size_of::<Self>() as u32;
    type Wide: From<Self>;

    fn square(self) -> Self {
        self * self
    }

    fn power(self, exponent: u32) -> Self {
        let mut result = Self::ONE;
        for bit in (0..u32::BITS).rev() {
            result = result.square();
            if exponent >> bit & 1 == 1 {
                result = result * self;
            }
        }
        result
    }

    fn wide(self) -> Self::Wide {
        self.into()
    }
}

/// Integers modulo a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Modulo<const M: u32>(u32);

impl<const M: u32> Add for Modulo<M> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Modulo(((u64::from(self.0) + u64::from(other.0)) % u64::from(M)) as u32)
    }
}

impl<const M: u32> Mul for Modulo<M> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Modulo((u64::from(self.0) * u64::from(other.0) % u64::from(M)) as u32)
    }
}

impl<const M: u32> From<Modulo<M>> for u64 {
    fn from(value: Modulo<M>) -> u64 {
        value.0.into()
    }
}

impl<const M: u32> Ring for Modulo<M> {
    const ZERO: Self = Modulo(0);
    const ONE: Self = Modulo(1 % M);
    type Wide = u64;
}

impl Ring for core::num::Wrapping<u64> {
    const ZERO: Self = core::num::Wrapping(0);
    const ONE: Self = core::num::Wrapping(1);
    const BITS: u32 = 64;
    type Wide = Self;
}

/// A matrix over any ring; its shape is part of its type.
#[derive(Clone, Copy, PartialEq)]
struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]);

impl<T: Ring, const R: usize, const C: usize> Matrix<T, R, C> {
    const CELLS: usize = R * C;

    fn from_fn(f: impl Fn(usize, usize) -> T) -> Self {
        Matrix(core::array::from_fn(|r| core::array::from_fn(|c| f(r, c))))
    }

    fn transpose(&self) -> Matrix<T, C, R> {
        Matrix::from_fn(|r, c| self[(c, r)])
    }
}

impl<T, const R: usize, const C: usize> Index<(usize, usize)> for Matrix<T, R, C> {
    type Output = T;
    fn index(&self, (r, c): (usize, usize)) -> &T {
        &self.0[r][c]
    }
}

impl<T, const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<T, R, C> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
        &mut self.0[r][c]
    }
}

impl<T: Ring, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>>
    for Matrix<T, R, K>
{
    type Output = Matrix<T, R, C>;
    fn mul(self, other: Matrix<T, K, C>) -> Matrix<T, R, C> {
        Matrix::from_fn(|r, c| (0..K).fold(T::ZERO, |sum, k| sum + self[(r, k)] * other[(k, c)]))
    }
}

fn powers<const M: u32>(&[base, exponent]: &[u64; 2]) -> [u64; 4] {
    let base_in_ring = Modulo::<M>(base as u32 % M);
    let power = base_in_ring.power(exponent as u32);
    let wrapping = core::num::Wrapping(base).power(exponent as u32 & 0xff);
    [power.wide(), wrapping.wide().0, Modulo::<M>::BITS.into(), <Modulo<M>>::ONE.wide()]
}

#[test]
fn associated_items_and_const_generics() {
    same(powers::<1_000_000_007>, |rng| [edgy(rng), edgy(rng)]);
    same(powers::<1>, |rng| [edgy(rng), edgy(rng)]);
    same(powers::<{ u32::MAX }>, |rng| [edgy(rng), edgy(rng)]);
}

fn matrices<const R: usize, const K: usize, const C: usize>(x: &[u64; 4]) -> [u64; 3] {
    type Field = Modulo<998_244_353>;
    let entry = |seed: u64, r: usize, c: usize| {
        Modulo((seed.rotate_left((7 * r + c) as u32) % 998_244_353) as u32)
    };
    let a = Matrix::<Field, R, K>::from_fn(|r, c| entry(x[0], r, c));
    let mut b = Matrix::<Field, K, C>::from_fn(|r, c| entry(x[1], r, c));
    b[(x[2] as usize % K, x[3] as usize % C)] = Field::ONE;
    let product = a * b;
    let transposed = (b.transpose() * a.transpose()).transpose();
    let trace = (0..R.min(C)).fold(Field::ZERO, |sum, i| sum + product[(i, i)]);
    [u64::from(product == transposed), trace.wide(), Matrix::<Field, R, C>::CELLS as u64]
}

#[test]
fn shapes_as_const_generics() {
    same(matrices::<2, 3, 4>, |rng| core::array::from_fn(|_| edgy(rng)));
    same(matrices::<1, 1, 1>, |rng| core::array::from_fn(|_| edgy(rng)));
    same(matrices::<5, 2, 3>, |rng| core::array::from_fn(|_| edgy(rng)));
}

/// A unit of measure that is nothing but a type.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Quantity<U>(i64, PhantomData<U>);
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Metre;

impl<U> Quantity<U> {
    const fn new(value: i64) -> Self {
        Quantity(value, PhantomData)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $wrapping:ident;)*) => {$(
        impl<U> $trait for Quantity<U> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Quantity::new(self.0.$wrapping(other.0))
            }
        }
    )*};
}
operators! { Add add wrapping_add; Sub sub wrapping_sub; Mul mul wrapping_mul; }

impl<U> Neg for Quantity<U> {
    type Output = Self;
    fn neg(self) -> Self {
        Quantity::new(self.0.wrapping_neg())
    }
}

impl<U> Not for Quantity<U> {
    type Output = bool;
    fn not(self) -> bool {
        self.0 == 0
    }
}

impl<U> AddAssign<i64> for Quantity<U> {
    fn add_assign(&mut self, other: i64) {
        self.0 = self.0.wrapping_add(other);
    }
}

impl<U> core::iter::Sum for Quantity<U> {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Quantity::new(0), |a, b| a + b)
    }
}

fn quantities(x: &[i64; 3]) -> (i64, bool, bool, i64) {
    const STEP: Quantity<Metre> = Quantity::new(3);
    let [a, b, c] = x.map(Quantity::<Metre>::new);
    let mut d = -(a + b * STEP - c);
    d += 5;
    let sum: Quantity<Metre> = [a, b, c, d].into_iter().sum();
    (d.0, !d, a < b, sum.0)
}

#[test]
fn operator_traits() {
    same(quantities, |rng| core::array::from_fn(|_| edgy(rng).cast_signed()));
}

/// A trait with a generic associated type, a provided generic method and a blanket implementation.
trait Pairs {
    type Pair<'a>
    where
        Self: 'a;

    fn pair(&self, at: usize) -> Option<Self::Pair<'_>>;

    fn count_pairs(&self, keep: for<'a> fn(&Self::Pair<'a>) -> bool) -> u64 {
        let pairs = (0..).map_while(|at| self.pair(at));
        pairs.filter(|pair| keep(pair)).count() as u64
    }
}

impl<S: AsRef<[u64]>> Pairs for S {
    type Pair<'a>
        = (&'a u64, &'a u64)
    where
        Self: 'a;

    fn pair(&self, at: usize) -> Option<Self::Pair<'_>> {
        match self.as_ref().get(at..)? {
            [a, b, ..] => Some((a, b)),
            _ => None,
        }
    }
}

fn blanket(x: &[u64; 7]) -> [u64; 3] {
    let middle: [u64; 4] = core::array::from_fn(|i| x[i + 2]);
    let descents = middle.count_pairs(|(a, b)| a > b);
    [x.count_pairs(|(a, b)| a < b), descents, (&x[1..]).pair(3).map_or(0, |(a, b)| a ^ b)]
}

#[test]
fn generic_associated_types_and_blanket_impls() {
    same(blanket, |rng| core::array::from_fn(|_| edgy(rng)));
}
