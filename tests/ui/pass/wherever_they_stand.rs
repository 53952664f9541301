//! Private modules, function bodies, visibilities, directly called handlers.

use mcp_runtime::prelude::*;

mod outer {
    mod inner {
        use super::super::Point;
        use mcp_runtime::prelude::*;

        #[tool]
        pub(in crate::outer) async fn plot(point: Point, points: Vec<super::super::Point>) -> i64 {
            point.x + points.len() as i64
        }
    }

    pub(crate) async fn plot() -> i64 {
        inner::plot(super::Point { x: 1 }, Vec::new()).await
    }
}

#[mcp_runtime::data]
pub struct Point {
    x: i64,
}

#[tool]
#[deprecated(note = "use `plot`")]
#[must_use]
#[inline]
pub fn old(mut a: i64) -> i64 {
    a += 1;
    a
}

#[tool]
fn without_a_name(_: &Ctx) {}

fn main() {
    #[tool]
    fn local(a: Local) -> Json<Local> {
        Json(a)
    }

    #[mcp_runtime::data]
    struct Local {
        x: i64,
    }

    assert_eq!(local(Local { x: 1 }).0.x, 1);
    drop(outer::plot());
}
