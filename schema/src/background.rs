//! Work that is done ahead, on threads of its own.

use std::num::NonZero;
use std::sync::LazyLock;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Half of the cores. `None` if the system gives no more threads.
static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let pool = ThreadPoolBuilder::new().num_threads((cores / 2).max(1));
    pool.build().ok()
});

/// Does work whose result is not needed yet. Its parallel iterators run on half of the cores: on the threads of all other
/// work, a transaction would wait until this work is done.
pub fn ahead<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}
