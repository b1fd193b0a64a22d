//! Everything that code may call. Objects are linked against this table and nothing else, so a foreign or
//! damaged object cannot reach the rest of the process by name.

use freeloom_runtime as runtime;

/// Is the run cancelled? Generated code asks now and then and, if so, returns.
extern "C" fn fl_poll() -> i32 {
    i32::from(runtime::poll())
}

/// Records a failure of the run.
extern "C" fn fl_fail(code: u32) {
    runtime::fail(code);
}

macro_rules! c_functions {
    ($($name:ident($($arg:ty),*) -> $ret:ty;)*) => {
        mod c {
            unsafe extern "C" { $(pub(super) fn $name($(_: $arg),*) -> $ret;)* }
        }

        /// Functions of the C library: names and addresses.
        fn c_library() -> Vec<(&'static str, usize)> {
            vec![$((stringify!($name), c::$name as *const () as usize)),*]
        }
    };
}

c_functions! {
    exp(f64) -> f64; exp2(f64) -> f64; expm1(f64) -> f64; log(f64) -> f64; log2(f64) -> f64;
    log10(f64) -> f64; log1p(f64) -> f64; sin(f64) -> f64; cos(f64) -> f64; tan(f64) -> f64;
    asin(f64) -> f64; acos(f64) -> f64; atan(f64) -> f64; sinh(f64) -> f64; cosh(f64) -> f64;
    tanh(f64) -> f64; asinh(f64) -> f64; acosh(f64) -> f64; atanh(f64) -> f64; cbrt(f64) -> f64;
    erf(f64) -> f64; erfc(f64) -> f64; tgamma(f64) -> f64; lgamma(f64) -> f64; fmod(f64, f64) -> f64;
    pow(f64, f64) -> f64; atan2(f64, f64) -> f64; hypot(f64, f64) -> f64; nextafter(f64, f64) -> f64;
    floor(f64) -> f64; ceil(f64) -> f64; trunc(f64) -> f64; rint(f64) -> f64; roundeven(f64) -> f64;
    fma(f64, f64, f64) -> f64;

    expf(f32) -> f32; exp2f(f32) -> f32; expm1f(f32) -> f32; logf(f32) -> f32; log2f(f32) -> f32;
    log10f(f32) -> f32; log1pf(f32) -> f32; sinf(f32) -> f32; cosf(f32) -> f32; tanf(f32) -> f32;
    asinf(f32) -> f32; acosf(f32) -> f32; atanf(f32) -> f32; sinhf(f32) -> f32; coshf(f32) -> f32;
    tanhf(f32) -> f32; asinhf(f32) -> f32; acoshf(f32) -> f32; atanhf(f32) -> f32; cbrtf(f32) -> f32;
    erff(f32) -> f32; erfcf(f32) -> f32; tgammaf(f32) -> f32; lgammaf(f32) -> f32; fmodf(f32, f32) -> f32;
    powf(f32, f32) -> f32; atan2f(f32, f32) -> f32; hypotf(f32, f32) -> f32; nextafterf(f32, f32) -> f32;
    floorf(f32) -> f32; ceilf(f32) -> f32; truncf(f32) -> f32; rintf(f32) -> f32; roundevenf(f32) -> f32;
    fmaf(f32, f32, f32) -> f32;

    memcpy(*mut u8, *const u8, usize) -> *mut u8; memmove(*mut u8, *const u8, usize) -> *mut u8;
    memset(*mut u8, i32, usize) -> *mut u8;
}

/// The whole table: names and addresses.
pub(super) fn table() -> Vec<(&'static str, usize)> {
    let mut table = c_library();
    table.push(("fl_poll", fl_poll as *const () as usize));
    table.push(("fl_fail", fl_fail as *const () as usize));
    table
}
