//! The well-known operators.

macro_rules! opkinds {
    ($($(#[$doc:meta])* $variant:ident = $value:literal, $name:literal;)*) => {
        /// A well-known operator. Names and numbers are those of the `cuda.compute` contract, section 5.1.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum OpKind { $($(#[$doc])* $variant = $value),* }

        impl OpKind {
            /// Every operator, in numeric order.
            pub const ALL: &'static [OpKind] = &[$(OpKind::$variant),*];

            /// The Python name.
            pub const fn name(self) -> &'static str {
                match self { $(OpKind::$variant => $name),* }
            }

            /// The operator of that number.
            pub fn from_number(n: u8) -> Option<OpKind> {
                Self::ALL.iter().copied().find(|op| *op as u8 == n)
            }
        }
    };
}

opkinds! {
    /// `a + b`
    Plus = 2, "PLUS";
    /// `a - b`
    Minus = 3, "MINUS";
    /// `a * b`
    Multiplies = 4, "MULTIPLIES";
    /// `a / b`; towards zero for integers, where `x / 0` is 0.
    Divides = 5, "DIVIDES";
    /// Remainder with the sign of `a`; `x % 0` is 0 for integers.
    Modulus = 6, "MODULUS";
    /// `a == b`
    EqualTo = 7, "EQUAL_TO";
    /// `a != b`
    NotEqualTo = 8, "NOT_EQUAL_TO";
    /// `a > b`
    Greater = 9, "GREATER";
    /// `a < b`
    Less = 10, "LESS";
    /// `a >= b`
    GreaterEqual = 11, "GREATER_EQUAL";
    /// `a <= b`
    LessEqual = 12, "LESS_EQUAL";
    /// Are both not zero?
    LogicalAnd = 13, "LOGICAL_AND";
    /// Is one not zero?
    LogicalOr = 14, "LOGICAL_OR";
    /// Is it zero?
    LogicalNot = 15, "LOGICAL_NOT";
    /// `a & b`
    BitAnd = 16, "BIT_AND";
    /// `a | b`
    BitOr = 17, "BIT_OR";
    /// `a ^ b`
    BitXor = 18, "BIT_XOR";
    /// `~a`
    BitNot = 19, "BIT_NOT";
    /// `a`
    Identity = 20, "IDENTITY";
    /// `-a`
    Negate = 21, "NEGATE";
    /// The smaller; NaN if either is, as `np.minimum`.
    Minimum = 22, "MINIMUM";
    /// The greater; NaN if either is, as `np.maximum`.
    Maximum = 23, "MAXIMUM";
}
